import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const refused = z.object({ hour: z.number(), day: z.number() })

export const LimitRate = z.object({
  name: z.string(),
  title: z.string(),
  per: z.enum(['user', 'network', 'address']),
  points: z.number(),
  seconds: z.number(),
  /** Each process counts for itself. */
  isLocal: z.boolean(),
  /** Set by the owner, who had this before. */
  usual: z.nullable(z.object({ points: z.number(), seconds: z.number() })),
  refused,
})
export type LimitRate = z.infer<typeof LimitRate>

export const LimitTotal = z.object({
  name: z.string(),
  title: z.string(),
  per: z.enum(['user', 'network', 'process']),
  most: z.number(),
  usual: z.nullable(z.number()),
  refused,
})
export type LimitTotal = z.infer<typeof LimitTotal>

/** What is free or allowed by a rule of the product, or by a setting of its own. */
export const LimitRule = z.object({
  name: z.string(),
  title: z.string(),
  most: z.number(),
  /** The variable that changes it; null is a rule of the product. */
  setting: z.nullable(z.string()),
})
export type LimitRule = z.infer<typeof LimitRule>

export const LimitTables = z.object({
  rates: z.array(LimitRate),
  totals: z.array(LimitTotal),
  rules: z.array(LimitRule),
  /** Since when this process has counted refusals. */
  since: z.string(),
})
export type LimitTables = z.infer<typeof LimitTables>

export const limitsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/limits',
    who: 'admin',
    summary: 'Все ограничения и сколько раз каждое сработало',
    returns: LimitTables,
  }),
}
