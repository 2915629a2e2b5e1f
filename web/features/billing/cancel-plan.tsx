import { useState } from 'react'
import { formatDate, formatDay } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useCancelSubscription } from './payment-queries.ts'
import { ErrorNote } from './query-error.tsx'

/** Takes two clicks; the dialog says what stays until the end of the period. */
export function CancelPlan({ periodEnd }: { periodEnd: string | null }) {
  const [isOpen, setIsOpen] = useState(false)
  const cancel = useCancelSubscription()
  const close = () => setIsOpen(false)
  return (
    <div>
      <Button onClick={() => setIsOpen(true)}>Отменить подписку</Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title="Отменить подписку?"
        footer={
          <>
            <Button variant="ghost" onClick={close}>
              Оставить подписку
            </Button>
            <Button variant="danger" busy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
              Отменить подписку
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <ul className="list-disc space-y-1.5 pl-5">
            <li>Деньги больше не спишутся.</li>
            <li>
              {periodEnd
                ? `Символы подписки останутся до ${formatDate(periodEnd)}, потом неиспользованные сгорят.`
                : 'Символы подписки останутся до конца оплаченного периода, потом неиспользованные сгорят.'}
            </li>
            <li>Купленные пакеты остаются без срока, чаты и файлы тоже никуда не денутся.</li>
            <li>Подписаться снова можно {periodEnd ? `и до ${formatDay(periodEnd)}, и после` : 'когда угодно'}.</li>
          </ul>
          <ErrorNote text={cancel.errors.form} />
        </div>
      </Dialog>
    </div>
  )
}
