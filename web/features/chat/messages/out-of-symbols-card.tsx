import { Coins } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SingleSubscription } from '#contract/billing.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { giftRejectionLabel } from '#web/lib/gift-rejection.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { spendable } from './answer-cost.ts'

interface OutOfSymbolsCardProps {
  /** The message of the server when it rejected a question. */
  title?: string
  /** Continues the answer, and the minimal price of that. */
  next?: { cost: number; onContinue: () => void }
}

/** Shown where an answer could not go on without symbols, with a link to get more. */
export function OutOfSymbolsCard({ title = 'Закончились символы в подписке', next }: OutOfSymbolsCardProps) {
  const { data: profile } = useProfile()
  if (!profile) return null
  const balance = profile.SingleSubscription
  const left = spendable(balance)
  const canContinue = next !== undefined && left > 0 && left >= next.cost
  return (
    <section aria-label={title} data-screen-only className="rounded-lg border bg-surface p-4">
      <p className="flex items-center gap-2.5 font-medium">
        <Coins size={20} aria-hidden="true" className="shrink-0 text-warning" />
        {title}
      </p>
      <p className="mt-1 text-[15px] text-muted">{nextStepLabel(canContinue, left)}</p>
      {profile.giftRejection && balance.capacity === 0 && (
        <p className="mt-1 text-[15px] text-muted">{giftRejectionLabel[profile.giftRejection]}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {canContinue ? (
          <Button variant="primary" size="sm" onClick={next.onContinue}>
            Продолжить ответ
          </Button>
        ) : (
          <TopUpLink balance={balance} />
        )}
      </div>
    </section>
  )
}

function nextStepLabel(canContinue: boolean, left: number): string {
  if (canContinue) return 'Символы снова есть: ответ можно продолжить с того же места.'
  const saved = 'Всё, что написано, сохранено.'
  return left > 0
    ? `${saved} Осталось ${formatSymbols(left)}, этого не хватит.`
    : `${saved} Пополните баланс, чтобы продолжить.`
}

/** A daily limit can be changed, a subscriber buys a bundle, any other user needs a plan. */
function TopUpLink({ balance }: { balance: SingleSubscription }): ReactNode {
  if (balance.dailyCap !== null && spendable(balance) < balance.availableTokens)
    return (
      <ButtonLink size="sm" href={paths.profile('balance')}>
        Изменить дневной предел
      </ButtonLink>
    )
  return (
    <ButtonLink variant="primary" size="sm" href={paths.profile(balance.recurrent ? 'bundles' : 'plan')}>
      {balance.recurrent ? 'Докупить символы' : 'Оформить подписку'}
    </ButtonLink>
  )
}
