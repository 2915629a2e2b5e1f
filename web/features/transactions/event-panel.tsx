import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EventResolution, type PaymentEventCard } from '#contract/payment-events.ts'
import { gatewayTitles } from '#contract/payments.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatDateTime, formatMoney } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Link } from '#web/ui/link.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { eventName, eventStates, problemLabel, retriedLabel } from './event-labels.ts'
import { MatchingOrders } from './matching-orders.tsx'
import { EventBody, PanelState } from './panel-parts.tsx'
import { eventCardQuery, useReopenEvent, useResolveEvent, useRetryEvent } from './queries.ts'

export function EventPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const card = useQuery(eventCardQuery(id))
  const [isResolving, setIsResolving] = useState(false)
  const retry = useRetryEvent()
  const reopen = useReopenEvent()
  const { data } = card
  const failed = retry.error ?? reopen.error
  return (
    <>
      <SidePanel
        title={data ? eventName(data) : 'Событие оплаты'}
        onClose={onClose}
        footer={
          data &&
          data.state !== 'taken' && (
            <>
              {data.canRetry && (
                <Button
                  busy={retry.isPending}
                  onClick={() =>
                    retry.mutate({ id }, { onSuccess: ({ state }) => message.success(retriedLabel(state)) })
                  }
                >
                  Обработать снова
                </Button>
              )}
              {data.state === 'resolved' ? (
                <Button busy={reopen.isPending} onClick={() => reopen.mutate({ id })}>
                  Вернуть в неразобранные
                </Button>
              ) : (
                <Button variant="primary" onClick={() => setIsResolving(true)}>
                  Разобрано
                </Button>
              )}
            </>
          )
        }
      >
        {failed && (
          <div className="mb-5">
            <Callout tone="danger">{callErrorText(failed)}</Callout>
          </div>
        )}
        {data ? <EventDetails event={data} /> : <PanelState query={card} />}
      </SidePanel>
      {isResolving && <ResolveDialog id={id} onClose={() => setIsResolving(false)} />}
    </>
  )
}

function EventDetails({ event }: { event: PaymentEventCard }) {
  const { amount, currency, resolution, processedAt } = event
  const { label, tone } = eventStates[event.state]
  const why = problemLabel(event)
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col items-start gap-3">
        <Badge tone={tone}>{label}</Badge>
        {why && <p className="text-pretty">{why}</p>}
        {resolution && (
          <Callout tone="success" title="Разобрано">
            {resolution.note}
            <span className="block text-sm text-muted">
              {[resolution.by, formatDateTime(resolution.at)].filter(Boolean).join(', ')}
            </span>
          </Callout>
        )}
      </div>
      <Facts
        facts={[
          amount !== null && currency !== null && { name: 'Сумма', value: formatMoney({ amount, currency }) },
          { name: 'Плательщик', value: event.payer },
          { name: 'Пришло', value: formatDateTime(event.receivedAt) },
          { name: 'Сколько раз', value: event.deliveries },
          { name: 'Обработано', value: processedAt && formatDateTime(processedAt) },
          { name: 'Метка заказа', value: event.trackingId },
          { name: 'Платёжная система', value: gatewayTitles[event.gateway ?? 'bepaid'] },
          { name: 'Номер в ней', value: event.uid },
        ]}
      />
      <EventOrders orders={event.orders} />
      {event.fitting.length > 0 && <MatchingOrders event={event} />}
      <EventBody body={event.body} />
    </div>
  )
}

function EventOrders({ orders }: Pick<PaymentEventCard, 'orders'>) {
  if (orders.length === 0) return null
  return (
    <section>
      <h3 className="font-semibold">Заказ события</h3>
      <ul className="mt-1">
        {orders.map(({ id, title }) => (
          <li key={id}>
            <Link
              href={`${adminPaths.transactions()}?tab=orders&order=${id}`}
              className="rounded-xs text-accent-ink underline underline-offset-2 hover:no-underline"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ResolveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const resolve = useResolveEvent()
  const form = useForm({
    draft: { note: '' },
    schema: EventResolution,
    read: (draft) => draft,
    save: async ({ note }) => {
      await resolve.mutateAsync({ id, note })
      message.success('Событие разобрано')
      onClose()
    },
  })
  return (
    <FormDialog title="Событие разобрано" form={form} save="Отметить разобранным" onClose={onClose}>
      <TextArea
        label="Чем закончилось"
        hint="Например: деньги вернули в кабинете платёжной системы. Это увидят другие администраторы."
        maxLength={500}
        {...form.text('note')}
      />
    </FormDialog>
  )
}
