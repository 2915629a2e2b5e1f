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

const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
  new Counter({ name, help, labelNames, registers })

const answers = counter('answers_total', 'Answers that ended, by outcome and model', 'status', 'model')
const chargedSymbols = counter('charged_symbols_total', 'Symbols charged for answers, by model', 'model')
const firstText = new Histogram({
  name: 'answer_first_text_seconds',
  help: 'From the question to the first text of the model',
  labelNames: ['model'] as const,
  buckets: [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120],
  registers,
})
const providerErrors = counter(
  'provider_errors_total',
  'Calls to a model provider that failed, each try',
  'provider',
  'error',
)
const storageErrors = counter('storage_errors_total', 'Operations of the file storage that failed', 'operation')
const recovered = counter('recovered_total', 'Work of a dead process that was ended by recovery, by kind', 'kind')
const jobErrors = counter('jobs_failed_total', 'Runs of a scheduled job that failed', 'job')
const emailErrors = counter('emails_failed_total', 'Emails that the mail server did not take')
const limitRejections = counter(
  'limit_rejections_total',
  'Requests and connections that a limit rejected, by its name',
  'limit',
)
const webSearches = counter(
  'web_searches_total',
  'Searches on the web, by outcome: found, empty, unread, or how the engine failed',
  'outcome',
)
const webPages = counter('web_pages_total', 'Pages of the web that were to be read, by outcome', 'outcome')

// Known series begin at 0: the first event would not count as an increase otherwise.
const recoveredKinds = ['answer', 'image', 'recording', 'file', 'hold'] as const
const storageOperations = ['put', 'read', 'delete', 'list', 'owner'] as const
for (const kind of recoveredKinds) recovered.inc({ kind }, 0)
for (const operation of storageOperations) storageErrors.inc({ operation }, 0)
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
export const countStorageError = (operation: (typeof storageOperations)[number]) => storageErrors.inc({ operation })
export const countRecovered = (kind: (typeof recoveredKinds)[number], count = 1) => recovered.inc({ kind }, count)
export const countJobError = (job: string) => jobErrors.inc({ job })
export const countEmailError = () => emailErrors.inc()
export const countWebSearch = (outcome: string) => webSearches.inc({ outcome })
export const countWebPage = (outcome: string) => webPages.inc({ outcome })
export const countLimitRejection = (limit: string) => limitRejections.inc({ limit })

/** Read at every scrape. A missing source gives no sample. */
const gaugeHelp = {
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
type GaugeSources = { [Name in keyof typeof gaugeHelp]?: (() => number | Promise<number>) | undefined }
const sources: GaugeSources = {}
registerGauges(gaugeHelp, (name) => sources[name]?.())

function registerGauges<Name extends string>(
  helps: Record<Name, string>,
  read: (name: Name) => number | undefined | Promise<number | undefined>,
): void {
  for (const name of Object.keys(helps) as Name[])
    new Gauge({
      name,
      help: helps[name],
      registers,
      async collect() {
        const value = await read(name)
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
}

/** `undefined` removes a source. */
export function provideGauges(more: GaugeSources): void {
  Object.assign(sources, more)
}

const databaseHelp = {
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
export type DatabaseGauge = keyof typeof databaseHelp
export type DatabaseGauges = Partial<Record<DatabaseGauge, number>>
let readDatabase: () => Promise<DatabaseGauges> = async () => ({})
registerGauges(databaseHelp, async (name) => (await readDatabase())[name])

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
