import { useState } from 'react'
import type { PaymentEventCard } from '#contract/payment-events.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatDateTime, formatMoney } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useAttachEvent } from './queries.ts'

type MatchingOrder = PaymentEventCard['fitting'][number]

/** Orders this payment may belong to. Linking one grants its symbols, so it asks for confirmation. */
export function MatchingOrders({ event }: { event: PaymentEventCard }) {
  const [chosen, setChosen] = useState<MatchingOrder | null>(null)
  return (
    <section>
      <h3 className="font-semibold">Подходящие заказы</h3>
      <p className="mt-0.5 text-sm text-muted">Не оплачены, сумма та же, созданы до платежа.</p>
      <ul className="mt-2 rounded-md border">
        {event.fitting.map((order) => (
          <li
            key={order.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-2.5 last:border-0"
          >
            <span className="min-w-0">
              {order.title}
              <span className="block text-sm text-muted wrap-anywhere">
                {order.email ?? 'аккаунт удалён'}, {formatDateTime(order.createdAt)}
              </span>
            </span>
            <Button size="sm" onClick={() => setChosen(order)}>
              Привязать
            </Button>
          </li>
        ))}
      </ul>
      {chosen && <AttachDialog eventId={event.id} order={chosen} onClose={() => setChosen(null)} />}
    </section>
  )
}

interface AttachDialogProps {
  eventId: string
  order: MatchingOrder
  onClose: () => void
}

function AttachDialog({ eventId, order, onClose }: AttachDialogProps) {
  const attach = useAttachEvent()
  // mutateAsync, because this dialog is unmounted by the success and its onSuccess would not run.
  async function tie() {
    await attach.mutateAsync({ id: eventId, orderId: order.id })
    message.success('Платёж зачтён, символы начислены')
    onClose()
  }
  return (
    <ConfirmDialog
      title="Привязать платёж к заказу?"
      cancel="Не привязывать"
      action={`Привязать ${formatMoney(order)}`}
      isBusy={attach.isPending}
      onAction={() => void tie().catch(() => undefined)}
      onClose={onClose}
    >
      <p className="text-pretty">
        Заказ «{order.title}» станет оплаченным, {order.email ?? 'владелец удалил аккаунт, поэтому символы никому'}
        {order.email ? ' получит символы' : ' не начислятся'}. Перед этим спросим платёжную систему, прошёл ли платёж.
      </p>
      {attach.error && <Callout tone="danger">{callErrorText(attach.error)}</Callout>}
    </ConfirmDialog>
  )
}
