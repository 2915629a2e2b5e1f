import type { ReactNode } from 'react'
import type { Receipt } from '#contract/payments.ts'

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
        <li key={receipt.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
          <span className={receipt.state === 'rejected' ? 'text-danger' : 'figures text-muted wrap-anywhere'}>
            {receiptLabel(receipt)}
          </span>
          {receipt.state !== 'registered' && action?.(receipt)}
        </li>
      ))}
    </ul>
  )
}

function receiptLabel({ kind, state, fiscalStorage, fiscalDocument, fiscalAttribute }: Receipt): string {
  const name = kind === 'refund' ? 'Чек возврата' : 'Чек'
  if (state === 'rejected') return `${name}: касса не приняла, его отправят снова`
  if (state === 'pending') return `${name} готовится`
  return `${name}: ФН ${fiscalStorage ?? '—'}, ФД ${fiscalDocument ?? '—'}, ФПД ${fiscalAttribute ?? '—'}`
}
