import type { TransactionKind } from '#contract/transactions.ts'
import type { LedgerEntry } from '#contract/transactions-admin.ts'

/** Labels of operations. The screen passes in those of billing, so that admin and user see the same text. */
export interface OperationLabels {
  name: (kind: TransactionKind) => string
  explain: (entry: LedgerEntry) => string
}
