import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What the product consists of and depends on, in the order of the status screen. */
export const statusParts = [
  'servers',
  'database',
  'redis',
  'storage',
  'mail',
  'payments',
  'models',
  'jobs',
  'work',
  'ledger',
  'backups',
  'clock',
] as const
export type StatusPartName = (typeof statusParts)[number]

export const StatusPart = z.object({
  name: z.enum(statusParts),
  /** `off`: not configured, or nothing is known yet. */
  state: z.enum(['ok', 'degraded', 'down', 'off']),
  /** Since when it is not ok; null when that is unknown. */
  since: z.nullable(z.iso.datetime()),
  /** The number of waiting emails, events, violations or failed jobs; for the database its response time in ms. */
  count: z.nullable(z.number()),
  /** When it was last done: a backup, a check of the ledger. */
  at: z.nullable(z.iso.datetime()),
  /** Names of builds, of instances, or of models that are skipped after errors. */
  names: z.array(z.string()),
  /** Why it is `degraded` although nothing has failed. */
  lack: z._default(z.nullable(z.enum(['mailbox', 'test-payments', 'only-demo', 'never-done'])), null),
})
export type StatusPart = z.infer<typeof StatusPart>

const StatusInstance = z.object({
  id: z.string(),
  name: z.string(),
  /** Null for a build of the release before. */
  build: z.nullable(z.string()),
  startedAt: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  outages: z.array(z.string()),
})
export type StatusInstance = z.infer<typeof StatusInstance>

const RetiringModel = z.object({
  id: z.string(),
  name: z.string(),
  retiresOn: z.iso.date(),
  /** The name of the model that people are moved to. */
  successor: z.nullable(z.string()),
})
export type RetiringModel = z.infer<typeof RetiringModel>

export const Status = z.object({
  at: z.iso.datetime(),
  parts: z.array(StatusPart),
  /** Problems that the operator must fix, with instructions. */
  warnings: z.array(z.object({ name: z.string(), at: z.iso.datetime(), message: z.string() })),
  instances: z.array(StatusInstance),
  /** Models that providers switch off within 60 days, or have switched off without a successor being set. */
  retiring: z._default(z.array(RetiringModel), []),
})
export type Status = z.infer<typeof Status>

/** What an installation needs before it sells, in the order of the list. */
export const setupSteps = ['address', 'mail', 'model', 'prices', 'payments', 'documents', 'support', 'backup'] as const
export type SetupStepName = (typeof setupSteps)[number]

export const SetupStep = z.object({
  name: z.enum(setupSteps),
  isDone: z.boolean(),
  /** What is done, or what to do. */
  text: z.string(),
  /** When it was last done. */
  at: z.nullable(z.iso.datetime()),
})
export type SetupStep = z.infer<typeof SetupStep>

export const statusApi = {
  get: endpoint('GET', '/api/status', {
    who: 'admin',
    summary: 'Состояние: что работает не полностью, с какого времени и на каких серверах',
    returns: Status,
  }),
  setup: endpoint('GET', '/api/status/setup', {
    who: 'admin',
    summary: 'Готово ли к продажам: что сделано и что осталось сделать',
    returns: z.array(SetupStep),
  }),
}
