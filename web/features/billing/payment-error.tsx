import { adminPaths } from '#web/lib/admin-paths.ts'
import { pageUser } from '#web/lib/page-state.ts'
import { Callout, ErrorNote } from '#web/ui/callout.tsx'
import { TextLink } from '#web/ui/text-link.tsx'

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
        {errorText && <span className="block text-sm text-muted">{errorText}</span>}
        {pageUser()?.role === 'admin' && (
          <>
            {' '}
            Подключить платёжную систему или попробовать тестовую оплату:{' '}
            <TextLink inText href={adminPaths.payments()}>
              Оплата
            </TextLink>
          </>
        )}
      </Callout>
    </div>
  )
}
