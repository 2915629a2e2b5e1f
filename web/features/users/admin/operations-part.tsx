import { Link } from 'wouter'
import type { TransactionKind } from '#contract/transactions.ts'
import type { UserCard } from '#contract/users-admin.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import { CardPart, linkStyle, rowStyle } from './card-part.tsx'

const MINUS = '\u2212'

interface OperationsPartProps {
  user: UserCard
  nameOf: (kind: TransactionKind) => string
}

export function OperationsPart({ user: { id, operations, counts }, nameOf }: OperationsPartProps) {
  return (
    <CardPart
      title="Последние операции"
      action={
        <Link href={paths.adminTransactionsOf(id)} className={linkStyle}>
          Все операции
        </Link>
      }
    >
      {counts.disputes > 0 && (
        <p className="text-sm text-muted">
          Оспорено списаний: {formatNumber(counts.disputes)}, ждут решения: {formatNumber(counts.openDisputes)}.
        </p>
      )}
      {operations.length === 0 && <p className="text-muted">Операций пока не было.</p>}
      <ul aria-label="Операции" className="empty:hidden">
        {operations.map(({ id: key, kind, symbols, balanceAfter, note, disputed, createdAt }) => (
          <li key={key} className={rowStyle}>
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-x-2">
                {nameOf(kind)}
                {disputed && <Badge tone="warning">оспорено</Badge>}
              </span>
              <span className="block text-sm text-muted wrap-anywhere">
                {formatDateTime(createdAt)}
                {note && ` · ${note}`}
              </span>
            </span>
            <span className="figures shrink-0 text-right">
              <span className={classNames('block font-medium', symbols > 0 && 'text-success')}>
                {symbols > 0 ? '+' : MINUS}
                {formatNumber(Math.abs(symbols))}
              </span>
              <span className="block text-sm text-muted">стало {formatNumber(balanceAfter)}</span>
            </span>
          </li>
        ))}
      </ul>
    </CardPart>
  )
}
