import { useState } from 'react'
import * as z from 'zod/mini'
import type { OrderCard } from '#contract/orders-admin.ts'
import { RefundReason } from '#contract/payments.ts'
import { formatMoney } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { readMoney, writeMoney } from '#web/lib/number-input.ts'
import { Callout } from '#web/ui/callout.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { UnitField } from '#web/ui/form/unit-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { leftToRefund, refundConsequences } from './order-labels.ts'
import { useRefundOrder } from './queries.ts'

const whole = [
  { value: 'all', label: 'Всю сумму' },
  { value: 'part', label: 'Часть' },
] as const

/** A refund cannot be undone, so the button shows the amount. */
export function RefundDialog({ card, onClose }: { card: OrderCard; onClose: () => void }) {
  const { order } = card
  const { currency } = order
  const left = leftToRefund(order)
  const [how, setHow] = useState<'all' | 'part'>('all')
  const refund = useRefundOrder()
  const form = useForm({
    draft: { reason: '', amount: '' },
    schema: bodyUpTo(left, currency),
    read: ({ reason, amount }) => ({ reason, amount: how === 'all' ? left : readMoney(amount, currency) }),
    save: async ({ reason, amount }) => {
      const body = { reason, refunded: order.refundedAmount, ...(how === 'part' && { amount }) }
      await refund.mutateAsync({ id: order.id, body })
      message.success(`Возвращено ${formatMoney({ amount, currency })}`)
      onClose()
    },
  })
  const typed = how === 'all' ? left : readMoney(form.draft.amount, currency)
  const amount = typed > 0 && typed <= left ? typed : null
  return (
    <FormDialog
      title="Вернуть деньги"
      form={form}
      save={amount === null ? 'Вернуть' : `Вернуть ${formatMoney({ amount, currency })}`}
      onClose={onClose}
    >
      <p className="text-pretty">
        {order.title}, {order.email ?? 'аккаунт удалён'}. Деньги вернутся тем же способом, каким платили; отменить
        возврат нельзя.
      </p>
      <Segmented label="Сколько вернуть" value={how} options={whole} onChange={setHow} />
      {how === 'part' && (
        <UnitField
          label="Сколько вернуть"
          unit={currency}
          hint={`Можно вернуть до ${formatMoney({ amount: left, currency })}`}
          placeholder={writeMoney(left, currency)}
          {...form.text('amount')}
        />
      )}
      <TextArea
        label="Почему возвращаете"
        hint="Это увидит платёжная система и журнал администраторов."
        maxLength={255}
        className="min-h-20"
        {...form.text('reason')}
      />
      {amount !== null && (
        <Callout tone="warning">
          {refundConsequences(card, amount).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Callout>
      )}
    </FormDialog>
  )
}

function bodyUpTo(left: number, currency: string) {
  const error = `Введите сумму до ${formatMoney({ amount: left, currency })}`
  return z.object({
    reason: RefundReason,
    amount: z.int({ error }).check(z.minimum(1, { error }), z.maximum(left, { error })),
  })
}
