import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'
import { TableQuery, tableOf } from './paging.ts'
import { MessageStatus } from './threads.ts'
import { DisputeStatus, Transaction } from './transactions.ts'

/** A disputed charge, as admins see it. */
export const Dispute = z.object({
  id: z.string(),
  status: knownOr(DisputeStatus, 'open'),
  reason: z.string(),
  answer: z.nullable(z.string()),
  /** In symbols. */
  returned: z.nullable(z.int()),
  createdAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
  decidedBy: z.nullable(z.string()),
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
  entry: Transaction,
})
export type Dispute = z.infer<typeof Dispute>

export const DisputeDetails = z.extend(Dispute, {
  messageStatus: z.nullable(knownOr(MessageStatus, 'complete')),
  /** Null when the model was deleted. */
  model: z.nullable(z.string()),
})
export type DisputeDetails = z.infer<typeof DisputeDetails>

export const disputeSorts = ['createdAt', 'symbols'] as const
export const DisputeQuery = z.extend(TableQuery, { status: z.optional(DisputeStatus) })
export type DisputeQuery = z.infer<typeof DisputeQuery>

export const MAX_DECISION = 2000
const DecisionText = z
  .string()
  .check(z.trim(), z.maxLength(MAX_DECISION, { error: `Не больше ${MAX_DECISION} знаков` }))

export const DisputeReturn = z.strictObject({
  /** The whole charge when omitted. */
  symbols: z.optional(z.int().check(z.minimum(1))),
  answer: z.optional(DecisionText),
})
export type DisputeReturn = z.infer<typeof DisputeReturn>

export const DisputeRejection = z.strictObject({
  answer: DecisionText.check(z.minLength(1, { error: 'Напишите, почему: человек прочтёт это' })),
})

export const disputesApi = {
  list: endpoint('GET', '/api/disputes', {
    who: 'admin',
    summary: 'Оспоренные списания, давние сверху',
    query: DisputeQuery,
    returns: tableOf(Dispute),
  }),
  waiting: endpoint('GET', '/api/disputes/waiting', {
    who: 'admin',
    summary: 'Сколько оспоренных списаний ждут решения',
    returns: z.object({ count: z.int() }),
  }),
  get: endpoint('GET', '/api/disputes/:id', {
    who: 'admin',
    summary: 'Оспоренное списание: за что и сколько списано; самих текстов здесь нет',
    returns: DisputeDetails,
  }),
  giveBack: endpoint('POST', '/api/disputes/:id/return', {
    who: 'admin',
    summary: 'Вернуть символы, все или часть; решение окончательное, второе — 409',
    body: DisputeReturn,
    returns: DisputeDetails,
  }),
  refuse: endpoint('POST', '/api/disputes/:id/refuse', {
    who: 'admin',
    summary: 'Отказать с объяснением; решение окончательное, второе — 409',
    body: DisputeRejection,
    returns: DisputeDetails,
  }),
}
