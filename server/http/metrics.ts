import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * The metrics of this process for /metrics, in one registry. Label values come from bounded sets; names that users
 * choose are capped.
 */
export const registry = new Registry()
const registers = [registry]

export const httpSeconds = new Histogram({
  name: 'http_request_seconds',
  help: 'Time to answer, by route',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 30, 60],
  registers,
})

const answers = new Counter({
  name: 'answers_total',
  help: 'Answers that ended, by outcome and model',
  labelNames: ['status', 'model'] as const,
  registers,
})
const chargedSymbols = new Counter({
  name: 'charged_symbols_total',
  help: 'Symbols charged for answers, by model',
  labelNames: ['model'] as const,
  registers,
})
const firstText = new Histogram({
  name: 'answer_first_text_seconds',
  help: 'From the question to the first text of the model',
  labelNames: ['model'] as const,
  buckets: [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120],
  registers,
})
const providerErrors = new Counter({
  name: 'provider_errors_total',
  help: 'Calls to a model provider that failed, each try',
  labelNames: ['provider', 'error'] as const,
  registers,
})
const storageErrors = new Counter({
  name: 'storage_errors_total',
  help: 'Operations of the file storage that failed',
  labelNames: ['operation'] as const,
  registers,
})
const recovered = new Counter({
  name: 'recovered_total',
  help: 'Work of a dead process that was ended by recovery, by kind',
  labelNames: ['kind'] as const,
  registers,
})
const jobErrors = new Counter({
  name: 'jobs_failed_total',
  help: 'Runs of a scheduled job that failed',
  labelNames: ['job'] as const,
  registers,
})
const emailErrors = new Counter({
  name: 'emails_failed_total',
  help: 'Emails that the mail server did not take',
  registers,
})
const limitRejections = new Counter({
  name: 'limit_rejections_total',
  help: 'Requests and connections that a limit rejected, by its name',
  labelNames: ['limit'] as const,
  registers,
})
const webSearches = new Counter({
  name: 'web_searches_total',
  help: 'Searches on the web, by outcome: found, empty, unread, or how the engine failed',
  labelNames: ['outcome'] as const,
  registers,
})
const webPages = new Counter({
  name: 'web_pages_total',
  help: 'Pages of the web that were to be read, by outcome',
  labelNames: ['outcome'] as const,
  registers,
})

// Known series begin at 0: the first event would not count as an increase otherwise.
for (const kind of ['answer', 'image', 'recording', 'file', 'hold']) recovered.inc({ kind }, 0)
for (const operation of ['put', 'read', 'delete', 'list', 'owner']) storageErrors.inc({ operation }, 0)
for (const outcome of ['found', 'empty', 'unread', 'key', 'quota', 'busy', 'timeout', 'down', 'refused'])
  webSearches.inc({ outcome }, 0)

const MAX_NAMES = 100
/** After a hundred names the rest share one series, so that memory stays bounded. */
function createNameLimit() {
  const known = new Set<string>()
  return (name: string) => {
    if (known.size < MAX_NAMES) known.add(name)
    return known.has(name) ? name : 'other'
  }
}
const modelName = createNameLimit()
const providerName = createNameLimit()

export function countAnswer({ status, model, charged }: { status: string; model: string; charged: number }): void {
  answers.inc({ status, model: modelName(model) })
  chargedSymbols.inc({ model: modelName(model) }, charged)
}
export function observeFirstText({ model, seconds }: { model: string; seconds: number }): void {
  firstText.observe({ model: modelName(model) }, seconds)
}
export function countProviderError({ provider, error }: { provider: string; error: string }): void {
  providerErrors.inc({ provider: providerName(provider), error })
}
export function countStorageError(operation: 'put' | 'read' | 'delete' | 'list' | 'owner'): void {
  storageErrors.inc({ operation })
}
export function countRecovered(kind: 'answer' | 'image' | 'recording' | 'file' | 'hold', count = 1): void {
  recovered.inc({ kind }, count)
}
export function countJobError(job: string): void {
  jobErrors.inc({ job })
}
export function countEmailError(): void {
  emailErrors.inc()
}
export function countWebSearch(outcome: string): void {
  webSearches.inc({ outcome })
}
export function countWebPage(outcome: string): void {
  webPages.inc({ outcome })
}
export function countLimitRejection(limit: string): void {
  limitRejections.inc({ limit })
}

/** Read at every scrape. A missing source gives no sample. */
export interface GaugeSources {
  database_up: () => Promise<number>
  running_answers: () => number
  sockets: () => number
  /** Providers or models that are skipped after errors. */
  breaker_open: () => number
  redis_up: () => number
  storage_up: () => number
  mail_up: () => number
  pg_pool_total: () => number
  pg_pool_idle: () => number
  pg_pool_waiting: () => number
}

const gaugeHelp: Record<keyof GaugeSources, string> = {
  database_up: '1 while the database answers within 1.5 s',
  running_answers: 'Answers that are written in this process',
  sockets: 'Open websockets',
  breaker_open: 'Models that are not asked for a while after failures',
  redis_up: '1 while Redis answers; no sample without REDIS_URL',
  storage_up: '1 while the file storage works, by its last calls and a check every 30 s',
  mail_up: '1 while the mail server takes emails; no sample without SMTP_URL',
  pg_pool_total: 'Connections to Postgres',
  pg_pool_idle: 'Connections to Postgres without work',
  pg_pool_waiting: 'Queries that wait for a connection',
}
type Sources = { [Name in keyof GaugeSources]?: GaugeSources[Name] | undefined }
const sources: Sources = {}

for (const name of Object.keys(gaugeHelp) as (keyof GaugeSources)[]) {
  new Gauge({
    name,
    help: gaugeHelp[name],
    registers,
    async collect() {
      const read = sources[name]
      if (read) this.set(await read())
      else this.remove()
    },
  })
}

/** `undefined` removes a source. */
export function provideGauges(more: Sources): void {
  Object.assign(sources, more)
}

export type DatabaseGauge =
  | 'holds_active'
  | 'holds_active_symbols'
  | 'holds_oldest_seconds'
  | 'holds_stale'
  | 'messages_streaming_stale'
  | 'jobs_oldest_seconds'
  | 'ledger_problems'
  | 'ledger_checked_age_seconds'
  | 'payment_events_odd'
  | 'payment_events_oldest_seconds'
  | 'gateway_unanswered'
  | 'emails_waiting'
  | 'emails_oldest_seconds'
  | 'backup_age_seconds'
  | 'instances_alive'
export type DatabaseGauges = Partial<Record<DatabaseGauge, number>>

const databaseHelp: Record<DatabaseGauge, string> = {
  holds_active: 'Holds of work that is running',
  holds_active_symbols: 'Symbols in these holds',
  holds_oldest_seconds: 'How long ago the oldest of these holds was taken',
  holds_stale: 'Active holds that no living process works under',
  messages_streaming_stale: 'Answers marked as being written that no living process writes',
  jobs_oldest_seconds: 'How long the oldest due job has been waiting',
  ledger_problems: 'What the last check of the ledger found',
  ledger_checked_age_seconds: 'How long ago the ledger was checked',
  payment_events_odd: 'Payment events that wait for an administrator',
  payment_events_oldest_seconds: 'How long ago the oldest payment event that is not processed came',
  gateway_unanswered: 'Orders and subscriptions that the payment gateway was asked about three times in vain',
  emails_waiting: 'Emails in the outbox that are not sent yet',
  emails_oldest_seconds: 'How long ago the oldest of these emails was written',
  backup_age_seconds: 'How long ago the last backup was made; no sample before the first',
  instances_alive: 'Running server processes that share this database',
}
let readDatabase: () => Promise<DatabaseGauges> = async () => ({})

for (const name of Object.keys(databaseHelp) as DatabaseGauge[]) {
  new Gauge({
    name,
    help: databaseHelp[name],
    registers,
    async collect() {
      const value = (await readDatabase())[name]
      if (value === undefined) this.remove()
      else this.set(value)
    },
  })
}

const FRESH_MS = 15_000
/** After this time old figures would hide that the database is unavailable. */
const STALE_MS = 60_000
const WAIT_MS = 1000

/** A scrape waits at most a second for the database and queries it at most every 15 s. */
export function provideDatabaseGauges(ask: () => Promise<DatabaseGauges>): void {
  let last: { figures: DatabaseGauges; at: number } | null = null
  let asking: Promise<void> | null = null
  const isYounger = (ms: number) => last !== null && performance.now() - last.at < ms
  readDatabase = async () => {
    if (!isYounger(FRESH_MS)) {
      asking ??= ask()
        .then(
          (figures) => {
            last = { figures, at: performance.now() }
          },
          () => {},
        )
        .finally(() => {
          asking = null
        })
      await Promise.race([asking, new Promise((done) => setTimeout(done, WAIT_MS).unref())])
    }
    return isYounger(STALE_MS) && last ? last.figures : {}
  }
}

const buildInfo = new Gauge({
  name: 'build_info',
  help: 'Always 1; the labels say which build and process this is',
  labelNames: ['build', 'instance', 'node'] as const,
  registers,
})

/** Memory, CPU, descriptors and event loop. Called once, by the server. */
export function describeProcess({ build, instance }: { build: string; instance: string }): void {
  buildInfo.reset()
  buildInfo.set({ build, instance, node: process.version }, 1)
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry })
}
