import * as z from 'zod/mini'
import { GrantKind } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'
import { TableQuery, tableOf } from './paging.ts'
import { Transaction, TransactionKindFilter } from './transactions.ts'

/** The ledger for admins: entries of all users, with the user and the idempotency key. */
export const LedgerEntry = z.extend(Transaction, { key: z.string(), email: z.string() })
export type LedgerEntry = z.infer<typeof LedgerEntry>

export const LedgerCard = z.extend(LedgerEntry, {
  parts: z.array(
    z.object({
      kind: z.nullable(knownOr(GrantKind, 'other')),
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
  kind: z.optional(TransactionKindFilter),
  direction: z.optional(z.enum(['in', 'out'])),
  userId: z.optional(z.string().check(z.maxLength(100))),
  modelId: z.optional(z.string().check(z.maxLength(100))),
  /** An API key. */
  keyId: z.optional(z.string().check(z.maxLength(100))),
  /** Days, both inclusive. */
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  /** The absolute number of symbols. */
  symbolsFrom: z.optional(Size),
  symbolsTo: z.optional(Size),
}

/** `query` matches a part of an email, a key, or the id of a user, an entry, a message or a thread. */
export const LedgerFilter = z.extend(z.pick(TableQuery, { query: true }), filters)
export type LedgerFilter = z.infer<typeof LedgerFilter>
export const LedgerQuery = z.extend(TableQuery, filters)
export type LedgerQuery = z.infer<typeof LedgerQuery>

/** Rows above this are not counted; `isMore` is true then. */
export const MAX_COUNTED_ROWS = 100_000

export const LedgerTotals = z.object({
  entries: z.int(),
  /** Symbols credited and charged. */
  came: z.int(),
  went: z.int(),
  money: z.array(z.object({ currency: z.string(), came: z.int(), went: z.int() })),
})
export type LedgerTotals = z.infer<typeof LedgerTotals>

export const ledgerApi = {
  table: endpoint('GET', '/api/transactions/table', {
    who: 'admin',
    summary: 'Операции всех пользователей страницами; дальше 100 000 строки не считаются (isMore)',
    query: LedgerQuery,
    returns: z.extend(tableOf(LedgerEntry), { isMore: z.boolean() }),
  }),
  csv: endpoint('GET', '/api/transactions/table/csv', {
    who: 'admin',
    summary: 'Операции отбора файлом CSV, новые сверху',
    proof: 'fresh',
    query: LedgerFilter,
    answers: 'file',
  }),
  totals: endpoint('GET', '/api/transactions/totals', {
    who: 'admin',
    summary: 'Итоги по отбору: сколько символов пришло и ушло, сколько денег в каждой валюте',
    query: LedgerFilter,
    returns: LedgerTotals,
  }),
  card: endpoint('GET', '/api/transactions/:id/card', {
    who: 'admin',
    summary: 'Операция со всем, из чего она сложилась',
    returns: LedgerCard,
  }),
}
