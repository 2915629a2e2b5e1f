import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Money } from '#contract/billing.ts'
import type { OrderCard } from '#contract/orders-admin.ts'
import { gatewayTitles } from '#contract/payments.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatDateTime, formatMoney, formatSymbols } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ExternalLink } from '#web/ui/icons.ts'
import { ReceiptLines } from '#web/ui/receipt-lines.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { PersonLink } from './cells.tsx'
import { eventName, eventStates, statusLabelOf } from './event-labels.ts'
import { OrderBadge } from './order-columns.tsx'
import { checkedLabel, kindLabels, sumLabel } from './order-labels.ts'
import { EventBody, PanelState } from './panel-parts.tsx'
import { orderCardQuery, useCheckOrder, useRepeatReceipt } from './queries.ts'
import { RefundDialog } from './refund-dialog.tsx'

export function OrderPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const card = useQuery(orderCardQuery(id))
  const check = useCheckOrder()
  const [isRefunding, setIsRefunding] = useState(false)
  const { data } = card

  async function checkGateway(before: OrderCard['order']['status']) {
    const { status } = await check.mutateAsync(id)
    message.success(checkedLabel(before, status))
  }

  return (
    <>
      <SidePanel
        title={data?.order.title ?? 'Заказ'}
        onClose={onClose}
        footer={
          data && (
            <>
              <Button
                busy={check.isPending}
                onClick={() => void checkGateway(data.order.status).catch(() => undefined)}
              >
                Проверить оплату
              </Button>
              {data.order.status === 'paid' && !data.order.pendingRefund && (
                <Button variant="danger" onClick={() => setIsRefunding(true)}>
                  Вернуть деньги
                </Button>
              )}
            </>
          )
        }
      >
        {check.error && (
          <div className="mb-5">
            <Callout tone="danger" title="Проверить не получилось">
              {callErrorText(check.error)}
            </Callout>
          </div>
        )}
        {data ? <OrderDetails card={data} /> : <PanelState query={card} />}
      </SidePanel>
      {data && isRefunding && <RefundDialog card={data} onClose={() => setIsRefunding(false)} />}
    </>
  )
}

function OrderDetails({ card }: { card: OrderCard }) {
  const { order, reversals, events } = card
  const { pendingRefund = null, currency } = order
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="figures text-2xl font-semibold">{sumLabel(order)}</p>
        <OrderBadge {...order} />
      </div>
      <Facts facts={orderFacts(card)} />
      {(reversals.length > 0 || pendingRefund) && (
        <PanelSection title="Возвраты">
          <ul className="rounded-md border">
            {reversals.map(({ uid, kind, amount, currency, at }) => (
              <ReturnItem
                key={uid}
                label={kind === 'refund' ? 'Вернули деньги' : 'Деньги отозвал банк'}
                note={formatDateTime(at)}
                sum={{ amount, currency }}
              />
            ))}
            {pendingRefund && (
              <ReturnItem
                label="Возврат идёт"
                note={`Начат ${formatDateTime(pendingRefund.requestedAt)}. Платёжная система ещё не вернула деньги, мы её спрашиваем.`}
                sum={{ amount: pendingRefund.amount, currency }}
              />
            )}
          </ul>
        </PanelSection>
      )}
      {(order.receipts ?? []).length > 0 && (
        <PanelSection title="Чеки">
          <OrderReceipts receipts={order.receipts} />
        </PanelSection>
      )}
      <PanelSection title="События платёжной системы">
        {events.length > 0 ? (
          <ol className="rounded-md border">
            {events.map((event) => (
              <EventItem key={event.id} event={event} />
            ))}
          </ol>
        ) : (
          <p className="text-muted">Пока ничего. Если деньги списаны, нажмите «Проверить оплату».</p>
        )}
      </PanelSection>
    </div>
  )
}

function ReturnItem({ label, note, sum }: { label: string; note: string; sum: Money }) {
  return (
    <li className="flex justify-between gap-x-4 border-b px-4 py-2.5 last:border-0">
      <span className="min-w-0">
        {label}
        <span className="block text-sm text-pretty text-muted">{note}</span>
      </span>
      <span className="figures font-medium whitespace-nowrap">{formatMoney(sum)}</span>
    </li>
  )
}

function OrderReceipts({ receipts }: { receipts: OrderCard['order']['receipts'] }) {
  const repeat = useRepeatReceipt()
  return (
    <>
      <ReceiptLines
        receipts={receipts}
        action={({ id }) => (
          <Button size="sm" busy={repeat.isPending && repeat.variables === id} onClick={() => repeat.mutate(id)}>
            Отправить снова
          </Button>
        )}
      />
      {repeat.error && <p className="mt-2 text-sm text-danger">{callErrorText(repeat.error)}</p>}
    </>
  )
}

function orderFacts({ order, grant, subscription }: OrderCard) {
  const { paidAt, receiptUrl, discountPercent } = order
  return [
    { name: 'Пользователь', value: <PersonLink id={order.userId} email={order.email} /> },
    { name: 'Вид', value: kindLabels[order.kind] },
    { name: 'Создан', value: formatDateTime(order.createdAt) },
    { name: 'Оплачен', value: paidAt && formatDateTime(paidAt) },
    { name: 'Символы', value: grant ? grantLabel(grant) : formatSymbols(order.symbols) },
    { name: 'Скидка', value: discountPercent && `${discountPercent}\u00a0%` },
    { name: 'Подписка', value: subscription && subscriptionLabel(subscription) },
    { name: 'Карта', value: subscription?.card ?? null },
    { name: 'Чек', value: receiptUrl && <Receipt url={receiptUrl} /> },
    { name: 'Номер заказа', value: order.id },
    { name: 'Платёжная система', value: gatewayTitles[order.gateway ?? 'bepaid'] },
    { name: 'Номер в ней', value: order.gatewayUid },
  ]
}

function grantLabel({ symbols, remaining, expiresAt }: NonNullable<OrderCard['grant']>): string {
  const until = expiresAt && remaining > 0 ? `, действуют до ${formatDateTime(expiresAt)}` : ''
  return `${formatSymbols(symbols)}, осталось ${formatSymbols(remaining)}${until}`
}

function subscriptionLabel({ state, renewAt, activeTo }: NonNullable<OrderCard['subscription']>): string {
  const word = statusLabelOf(state)
  if (renewAt) return `${word}, следующее списание ${formatDateTime(renewAt)}`
  return activeTo ? `${word}, оплачено до ${formatDateTime(activeTo)}` : word
}

function Receipt({ url }: { url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-center gap-1 rounded-xs text-accent-ink underline underline-offset-2 hover:no-underline"
    >
      Открыть чек
      <ExternalLink size={14} />
    </a>
  )
}

function PanelSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function EventItem({ event }: { event: OrderCard['events'][number] }) {
  const { amount, currency, deliveries, problem } = event
  const { label, tone } = eventStates[event.state]
  return (
    <li className="flex flex-col gap-1.5 border-b px-4 py-3 last:border-0">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{eventName(event)}</span>
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="figures text-sm text-muted">
        {formatDateTime(event.receivedAt)}
        {amount !== null && currency !== null && ` · ${formatMoney({ amount, currency })}`}
        {deliveries > 1 && ` · пришло ${deliveries} раз`}
      </span>
      {problem && <span className="text-sm text-danger">{problem}</span>}
      <EventBody body={event.body} />
    </li>
  )
}
