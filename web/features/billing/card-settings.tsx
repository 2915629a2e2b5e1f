import { useState } from 'react'
import type { SingleSubscription } from '#contract/billing.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useRemoveCard } from './payment-queries.ts'
import { PlanChangeCheckout } from './plan-change.tsx'
import { keptUntil } from './plan-terms.ts'

interface CardSettingsProps {
  card: NonNullable<SingleSubscription['card']>
  planId: string
  periodEnd: string | null
}

export function CardSettings({ card, planId, periodEnd }: CardSettingsProps) {
  const [isChanging, setIsChanging] = useState(false)
  return (
    <div className="flex flex-col gap-4 border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="figures">
          Карта {card.brand && <span className="uppercase">{card.brand}</span>} ••&nbsp;{card.last4}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button aria-expanded={isChanging} onClick={() => setIsChanging(!isChanging)}>
            {isChanging ? 'Оставить карту' : 'Сменить'}
          </Button>
          <RemoveCard last4={card.last4} periodEnd={periodEnd} />
        </div>
      </div>
      {isChanging && <NewCard planId={planId} />}
    </div>
  )
}

/** The gateway cannot change the card of a running subscription, so the plan starts anew. */
function NewCard({ planId }: { planId: string }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-pretty text-muted">
        Заменить карту у действующей подписки платёжная система не умеет, поэтому тариф начнётся заново с новой карты.
        Платить нужно только за прошедшие дни, символов прибавится за них же.
      </p>
      <PlanChangeCheckout planId={planId} reason="card" onScheduled={() => {}} />
    </div>
  )
}

function RemoveCard({ last4, periodEnd }: { last4: string; periodEnd: string | null }) {
  const [isOpen, setIsOpen] = useState(false)
  const remove = useRemoveCard()
  return (
    <>
      <Button variant="ghost" onClick={() => setIsOpen(true)}>
        Отвязать
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={`Отвязать карту •• ${last4}?`}
        cancel="Оставить"
        action="Отвязать карту"
        isDanger
        isBusy={remove.isPending}
        onAction={() => remove.mutate(undefined)}
        onClose={() => setIsOpen(false)}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          <li>Деньги с неё больше не спишутся, подписка не продлится.</li>
          <li>Мы удалим то, что храним о карте: её вид и последние цифры.</li>
          <li>{keptUntil(periodEnd)}</li>
        </ul>
        <ErrorNote text={remove.errors.form} />
      </ConfirmDialog>
    </>
  )
}
