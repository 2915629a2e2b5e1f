import type { TransactionKind } from '#contract/transactions.ts'
import type { LedgerEntry } from '#contract/transactions-admin.ts'

/** How operations are told; the shop's own words, handed in by the screen so that both say the same. */
export interface OperationLabels {
  name: (kind: TransactionKind) => string
  explain: (entry: LedgerEntry) => string
}
