import { type ReactNode, useState } from 'react'
import type { Receipt } from '#contract/payments.ts'
import { formatMoney } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'

interface ReceiptLinesProps {
  receipts: readonly Receipt[]
  /** Beside a receipt that is not registered. */
  action?: (receipt: Receipt) => ReactNode
}

/** The fiscal receipts of an order, with the numbers by which the tax service finds them. */
export function ReceiptLines({ receipts, action }: ReceiptLinesProps) {
  return (
    <ul className="flex flex-col gap-1.5 text-sm">
      {receipts.map((receipt) => (
        <ReceiptLine key={receipt.id} receipt={receipt} action={action?.(receipt)} />
      ))}
    </ul>
  )
}

function ReceiptLine({ receipt, action }: { receipt: Receipt; action: ReactNode }) {
  const [isShown, setIsShown] = useState(false)
  const { state, checkText } = receipt
  const numbers = numbersOf(receipt)
  return (
    <li>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="min-w-0">
          <span className={state === 'rejected' ? 'text-danger' : 'figures'}>{receiptLabel(receipt)}</span>
          {numbers && <span className="figures block wrap-anywhere text-muted">{numbers}</span>}
        </p>
        {state !== 'registered' && action}
        {checkText && (
          <Button size="sm" variant="ghost" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
            {isShown ? 'Скрыть код' : 'QR-код'}
          </Button>
        )}
      </div>
      {checkText && isShown && (
        <div className="flex flex-col items-center gap-1 py-2">
          <QrCode text={checkText} alt="QR-код чека" />
          <p className="text-center text-pretty text-muted">Наведите приложение «Проверка чеков» налоговой службы.</p>
        </div>
      )}
    </li>
  )
}

function receiptLabel(receipt: Receipt): string {
  const { kind, state } = receipt
  const name = `${kind === 'refund' ? 'Чек возврата' : 'Чек'} на ${formatMoney(receipt)}`
  return state === 'rejected' ? `${name}: касса не приняла` : state === 'pending' ? `${name} готовится` : name
}

function numbersOf({ state, fiscalStorage, fiscalDocument, fiscalAttribute }: Receipt): string | null {
  if (state !== 'registered') return null
  return `ФН ${fiscalStorage ?? '—'}, ФД ${fiscalDocument ?? '—'}, ФПД ${fiscalAttribute ?? '—'}`
}
