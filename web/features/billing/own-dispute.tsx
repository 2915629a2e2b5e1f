import type { OwnDispute } from '#contract/transactions.ts'
import { formatDate, formatSymbols } from '#web/lib/format.ts'

/** The user's complaint about a charge and the decision. */
export function OwnDisputeNote({ dispute }: { dispute: OwnDispute }) {
  return (
    <div className="flex flex-col gap-1.5 rounded-md bg-hover/60 px-4 py-3 text-sm wrap-anywhere">
      <p>
        <span className="text-muted">Вы написали:</span> {dispute.reason}
      </p>
      <p className="font-medium">{outcome(dispute)}</p>
      {dispute.answer && (
        <p className="whitespace-pre-line">
          <span className="text-muted">Ответ:</span> {dispute.answer}
        </p>
      )}
    </div>
  )
}

function outcome({ status, returned, decidedAt }: OwnDispute): string {
  if (status === 'open' || !decidedAt) return 'Мы проверяем это списание. О решении придёт письмо.'
  if (status === 'refused') return `Проверено ${formatDate(decidedAt)}: списание верное.`
  return `Проверено ${formatDate(decidedAt)}: на баланс вернулось ${formatSymbols(returned ?? 0)}.`
}
