import * as z from 'zod/mini'
import { GrantKind } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { TableQuery, tableOf } from './paging.ts'
import { Transaction, TransactionKind } from './transactions.ts'

/** The ledger as the owner reads it: everybody's rows, with whose they are and what makes each unique. */
export const LedgerEntry = z.extend(Transaction, { key: z.string(), email: z.string() })
export type LedgerEntry = z.infer<typeof LedgerEntry>

/** With the grants its symbols came from or went to. */
export const LedgerCard = z.extend(LedgerEntry, {
  parts: z.array(
    z.object({
      kind: z.nullable(GrantKind),
      symbols: z.int(),
      note: z.nullable(z.string()),
      orderId: z.nullable(z.string()),
    }),
  ),
})
export type LedgerCard = z.infer<typeof LedgerCard>

export const ledgerSorts = ['createdAt', 'symbols'] as const

const Size = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000_000))
const filters = {
  kind: z.optional(TransactionKind),
  direction: z.optional(z.enum(['in', 'out'])),
  userId: z.optional(z.string().check(z.maxLength(100))),
  modelId: z.optional(z.string().check(z.maxLength(100))),
  /** Days, both included. */
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  /** How many symbols moved, whichever way. */
  symbolsFrom: z.optional(Size),
  symbolsTo: z.optional(Size),
}

/** What is looked for: an e-mail or a part of it, a user's number, a key, the number of an entry, a message or a chat. */
export const LedgerFilter = z.extend(z.pick(TableQuery, { query: true }), filters)
export type LedgerFilter = z.infer<typeof LedgerFilter>
export const LedgerQuery = z.extend(TableQuery, filters)
export type LedgerQuery = z.infer<typeof LedgerQuery>

/** Above this nobody counts: `isMore` says that there are more. */
export const COUNTED_AT_MOST = 100_000

export const LedgerTotals = z.object({
  entries: z.int(),
  /** Symbols that came, and that went. */
  came: z.int(),
  went: z.int(),
  /** Money that moved with them. */
  money: z.array(z.object({ currency: z.string(), came: z.int(), went: z.int() })),
})
export type LedgerTotals = z.infer<typeof LedgerTotals>

/** The whole of what fits the filter, newest first; a file, so it stands beside the table of calls. */
export const LEDGER_CSV = '/api/transactions/table/csv'

export const ledgerApi = {
  table: endpoint({
    method: 'GET',
    path: '/api/transactions/table',
    who: 'admin',
    summary: 'Операции всех пользователей страницами; дальше 100 000 строки не считаются (isMore)',
    query: LedgerQuery,
    returns: z.extend(tableOf(LedgerEntry), { isMore: z.boolean() }),
  }),
  totals: endpoint({
    method: 'GET',
    path: '/api/transactions/totals',
    who: 'admin',
    summary: 'Итоги по отбору: сколько символов пришло и ушло, сколько денег в каждой валюте',
    query: LedgerFilter,
    returns: LedgerTotals,
  }),
  card: endpoint({
    method: 'GET',
    path: '/api/transactions/:id/card',
    who: 'admin',
    summary: 'Операция со всем, из чего она сложилась',
    returns: LedgerCard,
  }),
}
