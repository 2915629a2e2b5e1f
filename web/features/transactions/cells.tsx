import type { Money } from '#contract/billing.ts'
import type { TransactionKind } from '#contract/transactions.ts'
import type { LedgerEntry } from '#contract/transactions-admin.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatDateTime, formatMoney, formatNumber } from '#web/lib/format.ts'
import { Link } from '#web/ui/link.tsx'
import { Address } from '#web/ui/table/address.tsx'

const MINUS = '\u2212'

/** «15.11.2026, 08:40» in the viewer's time zone; the fixed width aligns in a column. */
export function DateCell({ at }: { at: string }) {
  return (
    <time dateTime={at} className="figures whitespace-nowrap">
      {formatDateTime(at)}
    </time>
  )
}

export function SymbolsCell({ symbols }: { symbols: number }) {
  const isGain = symbols > 0
  return (
    <span className={isGain ? 'text-success' : undefined}>
      {isGain ? '+' : MINUS}
      {formatNumber(Math.abs(symbols))}
    </span>
  )
}

interface PersonLinkProps {
  id: string | null
  email: string | null
}

export function PersonLink({ id, email }: PersonLinkProps) {
  if (!id) return <span className="text-muted">аккаунт удалён</span>
  return (
    <Link
      href={adminPaths.user(id)}
      className="rounded-xs underline decoration-line-strong underline-offset-2 hover:text-accent-ink hover:decoration-current"
    >
      <Address text={email ?? id} />
    </Link>
  )
}

export const personColumn = {
  id: 'email',
  title: 'Пользователь',
  cell: ({ userId, email }: { userId: string | null; email: string | null }) => (
    <PersonLink id={userId} email={email} />
  ),
}

/** One figure with the sums of all currencies; no figure when all are zero. */
export function moneyFigures(name: string, money: Money[]): { name: string; value: string }[] {
  const moved = money.filter(({ amount }) => amount > 0).map(formatMoney)
  return moved.length > 0 ? [{ name, value: moved.join(' · ') }] : []
}

/** Labels of operations. The screen passes in those of billing, so that admin and user see the same text. */
export interface OperationLabels {
  name: (kind: TransactionKind) => string
  explain: (entry: LedgerEntry) => string
}
