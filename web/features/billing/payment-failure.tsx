import { Callout } from '#web/ui/callout.tsx'
import { Failure } from './failure.tsx'

interface PaymentFailureProps {
  isNotSetUp: boolean
  fault: string | undefined
}

export function PaymentFailure({ isNotSetUp, fault }: PaymentFailureProps) {
  if (!isNotSetUp) return <Failure text={fault} />
  return (
    <div role="status">
      <Callout tone="info" title="Оплата пока не настроена">
        Купить символы сейчас нельзя. Всё, что есть на балансе, можно тратить как обычно.
      </Callout>
    </div>
  )
}
