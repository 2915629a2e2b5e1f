import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Order } from '#contract/payments.ts'
import { track } from '#web/lib/analytics.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { type PaymentOutcome, paymentOutcome } from './payment-outcome.ts'
import { isUnknown, orderQuery } from './payment-queries.ts'
import { refreshBilling } from './queries.ts'

/** After this time polling stops here; the server keeps checking the payment. */
const PATIENCE_MS = 2 * 60_000

interface PaymentReturnProps {
  orderId: string
  onClose: () => void
  onRetry: (kind: Order['kind']) => void
}

/** The result of the payment after the return from the payment page. */
export function PaymentReturn({ orderId, onClose, onRetry }: PaymentReturnProps) {
  const client = useQueryClient()
  const isLate = useIsLate(orderId)
  const { refetchInterval, ...question } = orderQuery(orderId)
  const { data: order, error } = useQuery({ ...question, refetchInterval: isLate ? false : refetchInterval })
  const outcome = paymentOutcome({ order, isUnknown: isUnknown(error), isLate })

  useEffect(() => {
    if (outcome !== 'paid') return
    track('Оплата прошла')
    void refreshBilling(client)
  }, [outcome, client])

  const { tone, title, text } = words[outcome](order?.symbols ?? 0)
  const isRefused = outcome === 'declined' || outcome === 'expired'
  return (
    <div role="status">
      <Callout
        tone={tone}
        title={title}
        action={
          outcome !== 'waiting' && (
            <>
              {isRefused && order && (
                <Button size="sm" onClick={() => onRetry(order.kind)}>
                  Попробовать ещё раз
                </Button>
              )}
              <Button size="sm" variant={isRefused ? 'ghost' : 'secondary'} onClick={onClose}>
                {isRefused ? 'Не сейчас' : 'Понятно'}
              </Button>
            </>
          )
        }
      >
        {text}
      </Callout>
    </div>
  )
}

function useIsLate(orderId: string): boolean {
  const [lateId, setLateId] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setLateId(orderId), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [orderId])
  return lateId === orderId
}

interface Words {
  tone: 'info' | 'success' | 'warning'
  title: string
  text: string
}

const words: Record<PaymentOutcome, (symbols: number) => Words> = {
  waiting: () => ({
    tone: 'info',
    title: 'Обрабатываем платёж',
    text: 'Обычно это занимает несколько секунд. Страницу можно закрыть: символы придут и без неё.',
  }),
  late: () => ({
    tone: 'info',
    title: 'Ещё не подтверждён, мы проверим сами',
    text: 'Банк отвечает дольше обычного. Как только платёж подтвердится, символы появятся на балансе и придёт письмо.',
  }),
  paid: (symbols) => ({ tone: 'success', title: 'Спасибо!', text: `Символы зачислены: ${formatSymbols(symbols)}.` }),
  declined: () => ({
    tone: 'warning',
    title: 'Платёж не прошёл',
    text: 'Банк его отклонил, деньги не списаны. Проверьте карту и лимиты или возьмите другую карту.',
  }),
  expired: () => ({
    tone: 'warning',
    title: 'Время на оплату вышло',
    text: 'Деньги не списаны.',
  }),
  returned: () => ({
    tone: 'info',
    title: 'Деньги возвращены',
    text: 'Этот платёж отменён, деньги вернутся на карту.',
  }),
  unknown: () => ({
    tone: 'warning',
    title: 'Такого платежа у вас нет',
    text: 'Возможно, вы платили из другого аккаунта. Если деньги списались, войдите в него.',
  }),
}
