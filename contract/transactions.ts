import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'
import { PageQuery } from './paging.ts'
import { InputParts } from './threads.ts'

const kinds = [
  'plan',
  'bundle',
  'promo',
  'gift',
  'refund',
  'answer',
  'translate',
  'summary',
  'image',
  'transcription',
  'minutes',
  'indexing',
  'scan',
  'balance',
  'expiry',
  'take_back',
  'chargeback',
] as const
export const TransactionKindFilter = z.enum(kinds)
/** `other` stands for a kind that only a newer release knows. */
export const TransactionKind = z.enum([...kinds, 'other'])
export type TransactionKind = z.infer<typeof TransactionKind>

export const DisputeStatus = z.enum(['open', 'returned', 'refused'])
export type DisputeStatus = z.infer<typeof DisputeStatus>

export const OwnDispute = z.object({
  status: knownOr(DisputeStatus, 'open'),
  reason: z.string(),
  answer: z.nullable(z.string()),
  /** In symbols. */
  returned: z.nullable(z.int()),
  decidedAt: z.nullable(z.iso.datetime()),
})
export type OwnDispute = z.infer<typeof OwnDispute>

export const Transaction = z.object({
  id: z.string(),
  userId: z.string(),
  kind: knownOr(TransactionKind, 'other'),
  /** Positive for credits, negative for charges. */
  symbols: z.int(),
  balanceAfter: z.int(),
  modelId: z.nullable(z.string()),
  threadId: z.nullable(z.string()),
  messageId: z.nullable(z.string()),
  input: z.nullable(z.int()),
  output: z.nullable(z.int()),
  inputRate: z.nullable(z.number()),
  outputRate: z.nullable(z.number()),
  /** Symbols of thought, and their rate. */
  thought: z._default(z.nullable(z.int()), null),
  thoughtRate: z._default(z.nullable(z.number()), null),
  /** The part of the input that the provider had cached, and its rate. */
  cached: z._default(z.nullable(z.int()), null),
  cachedRate: z._default(z.nullable(z.number()), null),
  amount: z.nullable(z.int()),
  currency: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** The name of the chat, recording or file it was for; only in the owner's own list. */
  subject: z._default(z.nullable(z.string()), null),
  /** Of an answer: the parts of its input; null when its message is gone or was charged several times. */
  inputParts: z._default(z.nullable(InputParts), null),
  /** Of an answer: the fixed price of its web search. */
  searchPrice: z._default(z.int(), 0),
  /** The API key that asked for it. */
  apiKeyId: z._default(z.nullable(z.string()), null),
  disputed: z.boolean(),
  dispute: z.nullable(OwnDispute),
  createdAt: z.iso.datetime(),
})
export type Transaction = z.infer<typeof Transaction>

export const TransactionFilter = z.extend(PageQuery, {
  kind: z.optional(TransactionKindFilter),
  /** Only credits, or only charges. */
  direction: z.optional(z.enum(['in', 'out'])),
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  /** Only what one API key caused. */
  keyId: z.optional(z.string().check(z.maxLength(64))),
  /** For admins: the entries of one user, or of all. */
  userId: z.optional(z.string()),
  all: z.optional(z.literal('1')),
})
export type TransactionFilter = z.infer<typeof TransactionFilter>

export const transactionsApi = {
  list: endpoint('GET', '/api/transactions', {
    who: 'user',
    summary: 'Операции с балансом, новые сверху: свои, а администратору userId или all=1',
    query: TransactionFilter,
    returns: z.array(Transaction),
  }),
  csv: endpoint('GET', '/api/transactions/csv', {
    who: 'user',
    summary: 'Операции отбора файлом CSV; чужие доступны администратору',
    query: TransactionFilter,
    answers: 'file',
  }),
  dispute: endpoint('POST', '/api/transactions/:id/dispute', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Оспорить своё списание',
    body: z.strictObject({ reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)) }),
    returns: Transaction,
  }),
}
