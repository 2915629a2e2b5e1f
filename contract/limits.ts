import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const RejectionCounts = z.object({ hour: z.number(), day: z.number() })

export const LimitRate = z.object({
  name: z.string(),
  title: z.string(),
  per: z.enum(['user', 'network', 'address']),
  points: z.number(),
  seconds: z.number(),
  /** Counted by each instance separately. */
  isLocal: z.boolean(),
  /** The default value; null unless a setting changed it. */
  usual: z.nullable(z.object({ points: z.number(), seconds: z.number() })),
  refused: RejectionCounts,
})
export type LimitRate = z.infer<typeof LimitRate>

export const LimitTotal = z.object({
  name: z.string(),
  title: z.string(),
  per: z.enum(['user', 'network', 'process']),
  most: z.number(),
  usual: z.nullable(z.number()),
  refused: RejectionCounts,
})
export type LimitTotal = z.infer<typeof LimitTotal>

/** A limit by a rule of the product or by its own setting. */
export const LimitRule = z.object({
  name: z.string(),
  title: z.string(),
  most: z.number(),
  /** The environment variable that changes it; null for a rule of the product. */
  setting: z.nullable(z.string()),
})
export type LimitRule = z.infer<typeof LimitRule>

export const LimitTables = z.object({
  rates: z.array(LimitRate),
  totals: z.array(LimitTotal),
  rules: z.array(LimitRule),
  /** Since when this instance has counted rejections. */
  since: z.string(),
})
export type LimitTables = z.infer<typeof LimitTables>

export const limitsApi = {
  list: endpoint('GET', '/api/limits', {
    who: 'admin',
    summary: 'Все ограничения и сколько раз каждое сработало',
    returns: LimitTables,
  }),
}
