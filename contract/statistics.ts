import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const Reconciliation = z.object({
  ok: z.boolean(),
  problems: z.array(z.object({ rule: z.string(), userId: z.string(), details: z.string() })),
})

export const statisticsApi = {
  reconcile: endpoint({
    method: 'GET',
    path: '/api/statistic/reconcile',
    who: 'admin',
    summary: 'Сверка: сходятся ли книги до символа, и что именно не сходится',
    returns: Reconciliation,
  }),
}
