import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { TableQuery, tableOf } from './paging.ts'
import { InputParts, MessageStatus } from './threads.ts'
import { DisputeStatus, Transaction } from './transactions.ts'

/** A charge that its owner does not agree with, as an administrator sees it. */
export const Dispute = z.object({
  id: z.string(),
  status: DisputeStatus,
  reason: z.string(),
  answer: z.nullable(z.string()),
  /** How many symbols came back. */
  returned: z.nullable(z.int()),
  createdAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
  /** Who decided. */
  decidedBy: z.nullable(z.string()),
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
  entry: Transaction,
})
export type Dispute = z.infer<typeof Dispute>

export const DisputeDetails = z.extend(Dispute, {
  /** What the charge was for, in sizes and never in texts; null when the message is gone or was charged in several goes. */
  parts: z.nullable(InputParts),
  messageStatus: z.nullable(MessageStatus),
  /** The model's name, if it is still there. */
  model: z.nullable(z.string()),
})
export type DisputeDetails = z.infer<typeof DisputeDetails>

export const disputeSorts = ['createdAt', 'symbols'] as const
export const DisputeQuery = z.extend(TableQuery, { status: z.optional(DisputeStatus) })
export type DisputeQuery = z.infer<typeof DisputeQuery>

export const MAX_DECISION = 2000
const Words = z.string().check(z.trim(), z.maxLength(MAX_DECISION, { error: `Не больше ${MAX_DECISION} знаков` }))

export const DisputeReturn = z.strictObject({
  /** All that was charged when left out. */
  symbols: z.optional(z.int().check(z.minimum(1))),
  answer: z.optional(Words),
})
export type DisputeReturn = z.infer<typeof DisputeReturn>

export const DisputeRejection = z.strictObject({
  answer: Words.check(z.minLength(1, { error: 'Напишите, почему: человек прочтёт это' })),
})

export const disputesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/disputes',
    who: 'admin',
    summary: 'Оспоренные списания, давние сверху',
    query: DisputeQuery,
    returns: tableOf(Dispute),
  }),
  waiting: endpoint({
    method: 'GET',
    path: '/api/disputes/waiting',
    who: 'admin',
    summary: 'Сколько оспоренных списаний ждут решения',
    returns: z.object({ count: z.int() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/disputes/:id',
    who: 'admin',
    summary: 'Оспоренное списание: за что и сколько списано; самих текстов здесь нет',
    returns: DisputeDetails,
  }),
  giveBack: endpoint({
    method: 'POST',
    path: '/api/disputes/:id/return',
    who: 'admin',
    summary: 'Вернуть символы, все или часть; решение окончательное, второе — 409',
    body: DisputeReturn,
    returns: DisputeDetails,
  }),
  refuse: endpoint({
    method: 'POST',
    path: '/api/disputes/:id/refuse',
    who: 'admin',
    summary: 'Отказать с объяснением; решение окончательное, второе — 409',
    body: DisputeRejection,
    returns: DisputeDetails,
  }),
}
