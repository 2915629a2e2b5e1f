import { Callout, ErrorNote } from '#web/ui/callout.tsx'

interface PaymentErrorNoteProps {
  isNotSetUp: boolean
  errorText: string | undefined
}

export function PaymentErrorNote({ isNotSetUp, errorText }: PaymentErrorNoteProps) {
  if (!isNotSetUp) return <ErrorNote text={errorText} />
  return (
    <div role="status">
      <Callout tone="info" title="Оплата пока не настроена">
        Купить символы сейчас нельзя. Всё, что есть на балансе, можно тратить как обычно.
      </Callout>
    </div>
  )
}
