import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import type { AwaitedOrder, DeclineReason, Order, Qr } from '#contract/payments.ts'
import { track } from '#web/lib/analytics.ts'
import { formatMoney, formatSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { readChat } from './chat-return.ts'
import { usePayOptions } from './pay-methods.tsx'
import { isMarkedCanceled, type PaymentOutcome, paymentOutcome, type WaitStage } from './payment-outcome.ts'
import { isUnknown, orderQuery } from './payment-queries.ts'
import { refreshBilling } from './queries.ts'
import { SbpCode } from './sbp-code.tsx'

/** A gateway that still knows of no payment after this time will hardly learn of one. */
const SETTLED_MS = 15_000
/** After this time polling stops here; the server keeps checking the payment. */
const POLLING_MS = 2 * 60_000
/** A code of СБП is paid within an hour: the page goes on asking, less often. */
const SLOW_POLL_MS = 10_000

interface PaymentReturnProps {
  orderId: string
  onClose: () => void
  onRetry: (kind: Order['kind']) => void
}

export function PaymentReturn({ orderId, onClose, onRetry }: PaymentReturnProps) {
  const client = useQueryClient()
  const isCanceled = isMarkedCanceled(useSearch())
  const waitStage = useWaitStage(orderId)
  const { refetchInterval, ...question } = orderQuery(orderId)
  const awaited = useQuery({
    ...question,
    refetchInterval: waitStage === 'over' ? ({ state }) => (state.data?.qr ? SLOW_POLL_MS : false) : refetchInterval,
  })
  const { data: order, error, refetch } = awaited
  const outcome = paymentOutcome({ order, isUnknown: isUnknown(error), waitStage, isMarkedCanceled: isCanceled })

  useEffect(() => {
    if (outcome !== 'paid') return
    track('Оплата прошла')
    void refreshBilling(client)
  }, [outcome, client])

  if (order?.qr)
    return (
      <SbpPayment
        order={order}
        qr={order.qr}
        onCheck={async () => (await refetch()).data?.status !== 'pending'}
        onRetry={onRetry}
      />
    )
  const { tone, title, text } = outcomeTexts[outcome]
  return (
    <div role="status">
      <Callout
        tone={tone}
        title={title(order)}
        action={
          <>
            {canRetry(outcome) && order && <RetryButton order={order} onRetry={onRetry} />}
            {outcome === 'paid' && <ChatLink />}
            <Button size="sm" variant={canRetry(outcome) ? 'ghost' : 'secondary'} onClick={onClose}>
              {canRetry(outcome) ? 'Не сейчас' : 'Закрыть'}
            </Button>
          </>
        }
      >
        {text(order)}
        {outcome === 'paid' && (
          <>
            {' '}
            <TextLink inText href={`${paths.profileOperations()}#receipts`}>
              Чек и все платежи
            </TextLink>
          </>
        )}
        {outcome === 'review' || outcome === 'reviewed' ? (
          <>
            {' '}
            <TextLink inText href={paths.help('account/support')}>
              Как написать в поддержку
            </TextLink>
          </>
        ) : null}
      </Callout>
    </div>
  )
}

interface SbpPaymentProps extends Pick<PaymentReturnProps, 'onRetry'> {
  order: AwaitedOrder
  qr: Qr
  onCheck: () => Promise<boolean>
}

function SbpPayment({ order, qr, onCheck, onRetry }: SbpPaymentProps) {
  const { isPretence } = usePayOptions(order.currency)
  return (
    <SbpCode
      qr={qr}
      title={`${order.title}: ${formatMoney(order)} по СБП`}
      action="подтвердите платёж"
      done="Я оплатил, проверить"
      notYet="Платёж пока не виден. Перевод иногда идёт минуту-другую: мы продолжаем проверять, страницу можно закрыть."
      isPretence={isPretence}
      onCheck={onCheck}
    >
      <Button variant="ghost" onClick={() => onRetry(order.kind)}>
        Заплатить иначе
      </Button>
    </SbpCode>
  )
}

const canRetry = (outcome: PaymentOutcome) => ['canceled', 'unfinished', 'declined', 'expired'].includes(outcome)

/** The same pay page while it is open, otherwise the choice of what to buy. */
function RetryButton({ order, onRetry }: { order: AwaitedOrder; onRetry: PaymentReturnProps['onRetry'] }) {
  const { payUrl, kind } = order
  return (
    <Button size="sm" onClick={() => (payUrl ? location.assign(payUrl) : onRetry(kind))}>
      Попробовать ещё раз
    </Button>
  )
}

/** To the chat from which the person went to pay: an unsent text waits there. */
function ChatLink() {
  const chat = readChat()
  if (!chat) return null
  return (
    <ButtonLink size="sm" variant="primary" href={chat}>
      Вернуться к чату
    </ButtonLink>
  )
}

function useWaitStage(orderId: string): WaitStage {
  const [reached, setReached] = useState<{ orderId: string; waitStage: WaitStage } | null>(null)
  useEffect(() => {
    const settled = setTimeout(() => setReached({ orderId, waitStage: 'settled' }), SETTLED_MS)
    const over = setTimeout(() => setReached({ orderId, waitStage: 'over' }), POLLING_MS)
    return () => {
      clearTimeout(settled)
      clearTimeout(over)
    }
  }, [orderId])
  return reached?.orderId === orderId ? reached.waitStage : 'fresh'
}

type KnownOrder = AwaitedOrder | undefined

interface OutcomeTexts {
  tone: 'info' | 'success' | 'warning'
  title: (order: KnownOrder) => string
  text: (order: KnownOrder) => string
}

const outcomeTexts: Record<PaymentOutcome, OutcomeTexts> = {
  waiting: {
    tone: 'info',
    title: () => 'Проверяем платёж',
    text: () => 'Обычно это занимает несколько секунд. Страницу можно закрыть: символы придут и без неё.',
  },
  canceled: {
    tone: 'info',
    title: () => 'Оплата отменена, деньги не списаны',
    text: () => 'Баланс не изменился. Заплатить можно в любой момент.',
  },
  unfinished: {
    tone: 'info',
    title: () => 'Оплата не завершена, деньги не списаны',
    text: () => 'Платёжная система не видит платежа. Если вы ещё платите в другой вкладке, закончите там.',
  },
  late: {
    tone: 'info',
    title: () => 'Платёж ещё идёт',
    text: () =>
      'Карта отвечает за минуты, перевод через ЕРИП или СБП идёт до суток. Ждать здесь не нужно: когда деньги придут, символы появятся на балансе и придёт письмо. Если банк откажет, деньги останутся у вас.',
  },
  silent: {
    tone: 'info',
    title: () => 'Платёжная система пока не отвечает',
    text: () =>
      'Прошёл ли платёж, ещё неизвестно. Не платите второй раз: мы спросим её сами и, если деньги списаны, начислим символы и пришлём письмо.',
  },
  paid: {
    tone: 'success',
    title: (order) => `Зачислено ${formatSymbols(order?.symbols ?? 0)}`,
    text: () => 'Спасибо!',
  },
  declined: {
    tone: 'warning',
    title: () => 'Платёж не прошёл, деньги не списаны',
    text: (order) => declineTexts[order?.declineReason ?? 'other'],
  },
  expired: {
    tone: 'warning',
    title: () => 'Время на оплату вышло, деньги не списаны',
    text: () => 'Начните заново, если покупка ещё нужна: цена прежняя.',
  },
  returned: {
    tone: 'info',
    title: () => 'Деньги возвращены',
    text: () => 'Этот платёж отменён, деньги вернутся туда, откуда вы платили.',
  },
  review: {
    tone: 'warning',
    title: (order) =>
      order?.review?.received
        ? `Пришло ${formatMoney(order.review.received)} вместо ${formatMoney(order)}`
        : 'Платёж пришёл, но ждёт проверки',
    text: (order) =>
      `${order?.review?.received ? 'Сумма отличается от цены, поэтому символы' : 'Символы'} сами не начислились. Платёж не потерян: администратор его видит и начислит символы или вернёт деньги. Второй раз не платите. Если ответа нет, напишите в поддержку и назовите номер заказа ${order?.id ?? ''}.`,
  },
  reviewed: {
    tone: 'info',
    title: () => 'Этот платёж разобрал администратор',
    text: (order) =>
      `${order?.review?.received ? `Пришло ${formatMoney(order.review.received)} вместо ${formatMoney(order)}. ` : ''}Если символов на балансе нет и деньги не вернулись, напишите в поддержку и назовите номер заказа ${order?.id ?? ''}.`,
  },
  unknown: {
    tone: 'warning',
    title: () => 'Такого платежа у вас нет',
    text: () => 'Возможно, вы платили из другого аккаунта. Если деньги списались, войдите в него.',
  },
}

const declineTexts: Record<DeclineReason, string> = {
  funds: 'Не хватило денег. Пополните счёт или заплатите другим способом.',
  limit:
    'Сумма больше лимита на покупки в интернете. Поднимите лимит в приложении банка или заплатите другим способом.',
  expired: 'Срок действия карты закончился. Возьмите другую.',
  details: 'Данные карты не подошли. Проверьте номер, срок и код на обороте.',
  blocked: 'Банк не разрешает такие платежи. Позвоните в банк или заплатите другим способом.',
  confirmation: 'Платёж не подтверждён в банке. Попробуйте ещё раз и введите код из сообщения.',
  bank: 'Банк не ответил. Попробуйте через несколько минут или заплатите другим способом.',
  country: 'Банк не разрешает платежи из этой страны. Отключите VPN или заплатите другим способом.',
  suspicion: 'Банк счёл платёж подозрительным. Подтвердите его в приложении банка или заплатите другим способом.',
  identity: 'Банк просит подтвердить личность. Сделайте это в его приложении или заплатите другим способом.',
  revoked: 'Вы отозвали разрешение на списания. Сохраните способ оплаты заново.',
  timeout: 'Платёж не успел пройти. Попробуйте ещё раз.',
  shop: 'Отказал не банк: платёж отменён на стороне магазина. Попробуйте ещё раз или напишите в поддержку.',
  other: 'Банк отклонил платёж и не назвал причину. Проверьте карту и лимиты или заплатите другим способом.',
}
