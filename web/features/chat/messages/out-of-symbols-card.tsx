import { useQuery } from '@tanstack/react-query'
import { type SingleSubscription, spendableSymbols } from '#contract/billing.ts'
import { bundlesQuery, plansQuery } from '#web/features/billing/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { giftRejectionLabel } from '#web/lib/gift-rejection.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Coins } from '#web/ui/icons.ts'
import { useOutOfSymbols } from '../state/out-of-symbols.ts'
import { bundleOffer, cheapestFitting, planOffer } from './top-up-offers.ts'

interface OutOfSymbolsCardProps {
  /** The message of the server when it rejected a question. */
  message?: string
  /** The least price of the question, if known. */
  needed?: number | null
  /** Continues the answer, with the least that this needs and the price that it names. */
  next?: { cost: number; label: string; onContinue: () => void } | undefined
}

const ENDED = 'Закончились символы в подписке'

/** Shown where an answer stopped for lack of symbols, with offers to buy more. */
export function OutOfSymbolsCard({ message = ENDED, needed = null, next }: OutOfSymbolsCardProps) {
  const { data: profile } = useProfile()
  if (!profile) return null
  const balance = profile.SingleSubscription
  const left = spendableSymbols(balance)
  const price = next?.cost ?? needed
  const canContinue = next !== undefined && left > 0 && left >= next.cost
  const title = titleFor(balance, { left, canContinue, message })
  return (
    <section aria-label={title} data-screen-only className="rounded-lg border bg-surface p-4">
      <p className="flex items-center gap-2.5 font-medium">
        <Coins size={20} className="shrink-0 text-warning" />
        {title}
      </p>
      <p className="figures mt-1 text-[15px] text-muted">{nextStepLabel(balance, { canContinue, left, price })}</p>
      {profile.giftRejection && balance.capacity === 0 && (
        <p className="mt-1 text-[15px] text-muted">{giftRejectionLabel[profile.giftRejection]}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {canContinue ? (
          <Button variant="primary" size="sm" onClick={next.onContinue}>
            {next.label}
          </Button>
        ) : isCapped(balance) ? (
          <ButtonLink size="sm" href={paths.profile('balance')}>
            Изменить дневной предел
          </ButtonLink>
        ) : (
          <Offers balance={balance} missing={Math.max(1, (price ?? 0) - left)} />
        )}
      </div>
    </section>
  )
}

/** After a rejected message, until the balance is higher than at the rejection. */
export function OutOfSymbolsNotice({ threadId }: { threadId: string }) {
  const outOfSymbols = useOutOfSymbols(threadId)
  const balance = useProfile().data?.SingleSubscription
  if (!outOfSymbols || (balance && spendableSymbols(balance) > outOfSymbols.available)) return null
  return (
    <div className="px-4 py-3">
      <OutOfSymbolsCard message={outOfSymbols.message} needed={outOfSymbols.needed} />
    </div>
  )
}

interface Rest {
  left: number
  canContinue: boolean
}

/** The cause that holds now: symbols may have come, and a limit of the day says nothing about the balance. */
function titleFor(balance: SingleSubscription, { left, canContinue, message }: Rest & { message: string }): string {
  const { plan, recurrent, availableTokens, dailyCap } = balance
  if (canContinue) return 'Ответ можно продолжить'
  if (isCapped(balance)) {
    const cap = formatNumber(dailyCap ?? 0)
    return left > 0 ? `До дневного предела ${cap} осталось ${formatNumber(left)}` : `Дневной предел ${cap} исчерпан`
  }
  if (message !== ENDED) return message
  // A user who never had a subscription gets a title that does not mention one.
  if (plan || recurrent) return ENDED
  return availableTokens > 0 ? 'Не хватает символов' : 'Символы закончились'
}

function nextStepLabel(
  balance: SingleSubscription,
  { canContinue, left, price }: Rest & { price: number | null },
): string {
  if (canContinue) return 'Он пойдёт с того же места.'
  const saved = 'Всё, что написано, сохранено.'
  if (isCapped(balance)) {
    const needed = left > 0 && price !== null && price > left ? `Нужно ${formatSymbols(price)} или больше. ` : ''
    return `${needed}Продолжить можно завтра или с новым пределом. ${saved}`
  }
  if (price !== null && price > left)
    return `Осталось ${formatNumber(left)}, нужно ${formatSymbols(price)} или больше. ${saved}`
  return left > 0
    ? `Осталось ${formatSymbols(left)}, этого не хватит. ${saved}`
    : `${saved} Пополните баланс, чтобы продолжить.`
}

const isCapped = (balance: SingleSubscription) =>
  balance.dailyCap !== null && spendableSymbols(balance) < balance.availableTokens

/** The cheapest sufficient bundle and, without a subscription, the cheapest sufficient plan. */
function Offers({ balance, missing }: { balance: SingleSubscription; missing: number }) {
  const bundles = useQuery(bundlesQuery)
  const plans = useQuery({ ...plansQuery, enabled: !balance.recurrent })
  const bundle = cheapestFitting(bundles.data ?? [], missing)
  const plan = balance.recurrent ? null : cheapestFitting(plans.data ?? [], missing)
  return (
    <>
      {bundle && (
        <ButtonLink variant="primary" size="sm" href={paths.profile('bundles')}>
          {bundleOffer(bundle)}
        </ButtonLink>
      )}
      {plan && (
        <ButtonLink variant={bundle ? 'secondary' : 'primary'} size="sm" href={paths.profile('plan')}>
          {planOffer(plan)}
        </ButtonLink>
      )}
      {!bundle && !plan && (
        <ButtonLink variant="primary" size="sm" href={paths.profile(balance.recurrent ? 'bundles' : 'plan')}>
          {balance.recurrent ? 'Докупить символы' : 'Оформить подписку'}
        </ButtonLink>
      )}
    </>
  )
}
