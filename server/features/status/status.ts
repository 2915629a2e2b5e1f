import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Status, StatusInstance, StatusPart, StatusPartName } from '#contract/status.ts'
import type { Db } from '#server/db/client.ts'
import { instances, models } from '#server/db/schema.ts'
import type { DatabaseGauges } from '#server/http/metrics.ts'
import type { StoredOutage } from '#server/instances/instance.ts'
import { type Queue, readQueue } from '#server/jobs/jobs.ts'
import { retiringModels } from '../models/retirement.ts'
import { readWarnings } from '../statistics/notes.ts'

export interface Services {
  readFigures: () => Promise<DatabaseGauges>
  hasRedis: boolean
  /** False while emails go to the development mailbox. */
  hasMail: boolean
  hasShop: boolean
  /** Payments move no money: of a test shop or of a fake. */
  isTestShop?: boolean
  /** Providers with a key. */
  providers?: () => string[]
  advice?: Advice[]
  /** Programs that this server does not have. */
  missing?: () => string[]
}

export type Advice = Pick<Status['warnings'][number], 'name' | 'message'>

export interface Observed extends Omit<Services, 'readFigures' | 'advice' | 'missing' | 'providers'> {
  now: Date
  figures: DatabaseGauges
  queue: Queue
  warnings: Status['warnings']
  databaseMs: number
  retiring?: Status['retiring']
  /** People can choose a model that has a key. */
  hasRealModel?: boolean
  instances: (Omit<StatusInstance, 'outages'> & { outages: StoredOutage[] })[]
}

/** What the owner should add to the settings. The server works without it. */
export function adviceFor({ production, namesSupport }: { production: boolean; namesSupport: boolean }): Advice[] {
  if (!production || namesSupport) return []
  const message =
    'Куда писать в поддержку, не задано: «Написать в поддержку» ведёт на страницу справки. Задайте SUPPORT_URL или SUPPORT_EMAIL и перезапустите сервер.'
  return [{ name: 'support', message }]
}

/** Without a model for scans the program is not needed. */
async function adviceOnPrograms(db: Db, missing: string[]): Promise<Advice[]> {
  const readsScans = and(eq(models.kind, 'scan'), eq(models.hidden, false))
  if (!missing.includes('pdftoppm') || (await db.$count(models, readsScans)) === 0) return []
  const message =
    'На сервере нет программы pdftoppm, поэтому читаются только страницы из одной картинки. Установите пакет poppler-utils и перезапустите сервер.'
  return [{ name: 'pdftoppm', message }]
}

/** Names of the models that answer people with a key of a provider. */
export async function realModels(db: Db, providers: string[]): Promise<string[]> {
  const answers = and(eq(models.kind, 'text'), eq(models.hidden, false), inArray(models.provider, providers))
  const rows = await db.select({ name: models.name }).from(models).where(answers).orderBy(models.position)
  return rows.map(({ name }) => name)
}

const FRESH_MS = 5000
/** Longer than any healthy database needs for a few rows. */
const SLOW_MS = 1000
const HOUR = 3600
const DAILY = 26 * HOUR
const LONG_WAIT_SECONDS = 600
const LATE_JOB_SECONDS = 300

/** Reads the state of the installation, at most every five seconds. */
export function createStatus(db: Db, services: Services): () => Promise<Status> {
  let last: { status: Promise<Status>; at: number } | null = null
  return () => {
    if (last && performance.now() - last.at < FRESH_MS) return last.status
    const status = observe(db, services).then(statusOf)
    last = { status, at: performance.now() }
    status.catch(() => {
      last = null
    })
    return status
  }
}

async function observe(db: Db, services: Services): Promise<Observed> {
  const { readFigures, advice = [], missing = () => [], providers, ...has } = services
  const now = new Date()
  const began = performance.now()
  const alive = await db.select().from(instances).where(isNull(instances.endedAt)).orderBy(instances.startedAt)
  const databaseMs = Math.round(performance.now() - began)
  const [figures, queue, warnings, retiring, programs, real] = await Promise.all([
    readFigures(),
    readQueue(db),
    readWarnings(db),
    retiringModels(db),
    adviceOnPrograms(db, missing()),
    providers && realModels(db, providers()),
  ])
  return {
    ...has,
    ...{ figures, queue, retiring, now, databaseMs, hasRealModel: real === undefined || real.length > 0 },
    warnings: [...warnings, ...[...advice, ...programs].map((each) => ({ ...each, at: now.toISOString() }))],
    instances: alive.map(({ id, name, build, startedAt, seenAt, outages }) => ({
      ...{ id, name, build, outages: outages ?? [] },
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
    })),
  }
}

export function statusOf(observed: Observed): Status {
  const { now, warnings, retiring = [] } = observed
  return {
    at: now.toISOString(),
    parts: partsOf(observed),
    warnings,
    retiring,
    instances: observed.instances.map(({ outages, ...instance }) => ({
      ...instance,
      outages: outages.map(({ part }) => part),
    })),
  }
}

type PartState = Partial<Omit<StatusPart, 'name'>>
const ok: PartState = { state: 'ok' }
const off: PartState = { state: 'off' }
/** Nothing is broken, but the owner has something to do. */
const lacking = (lack: StatusPart['lack']): PartState => ({ state: 'degraded', lack })

function partsOf(observed: Observed): StatusPart[] {
  const { figures, queue, databaseMs, now } = observed
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
  const found: Record<StatusPartName, PartState> = {
    servers: serversPart(observed),
    database: { state: databaseMs > SLOW_MS ? 'degraded' : 'ok', count: databaseMs },
    redis: observed.hasRedis ? outagePart(observed, 'redis') : off,
    storage: storagePart(observed),
    mail: observed.hasMail ? mailPart(observed, ago) : lacking('mailbox'),
    payments: observed.hasShop ? paymentsPart(observed, ago) : off,
    models: modelsPart(observed),
    jobs: jobsPart(queue, now),
    work: workPart(figures),
    ledger: ledgerPart(figures, ago),
    backups: backupsPart(figures, ago),
    clock: { ...outagePart(observed, 'clock'), state: isOut(observed, 'clock') ? 'degraded' : 'ok' },
  }
  return (Object.keys(found) as StatusPartName[]).map((name) => ({
    ...{ name, state: 'ok' as const, since: null, count: null, at: null, names: [], lack: null },
    ...found[name],
  }))
}

type Ago = (seconds: number) => string

const isOut = (observed: Observed, part: string) => outagesOf(observed, part).length > 0
const outagesOf = ({ instances: all }: Observed, part: string) =>
  all.flatMap(({ name, outages }) =>
    outages.filter((outage) => outage.part === part).map((outage) => ({ ...outage, instance: name })),
  )

/** A service that at least one instance cannot use: since when, and which models or instances. */
function outagePart(observed: Observed, part: string): PartState {
  const outages = outagesOf(observed, part)
  if (outages.length === 0) return ok
  const names = outages.flatMap(({ names: which, instance }) => which ?? [instance])
  return { state: 'down', since: earliest(outages.map(({ since }) => since)), names: [...new Set(names)].sort() }
}

const earliest = (moments: string[]) => moments.toSorted()[0] ?? null

/** Builds side by side are normal for minutes, while servers are replaced one after another. */
function serversPart({ instances: all }: Observed): PartState {
  const builds = [...new Set(all.map(({ build }) => build ?? '—'))].sort()
  if (builds.length < 2) return { ...ok, count: all.length, names: builds }
  return { state: 'degraded', since: all.at(-1)?.startedAt ?? null, count: all.length, names: builds }
}

/** Models that are skipped after errors; otherwise models that retire without a successor. */
function modelsPart(observed: Observed): PartState {
  if (isOut(observed, 'models')) return { ...outagePart(observed, 'models'), state: 'degraded' }
  const left = (observed.retiring ?? []).filter(({ successor }) => successor === null)
  if (left.length > 0) return { state: 'degraded', names: left.map(({ name }) => name) }
  return observed.hasRealModel === false ? lacking('only-demo') : ok
}

function storagePart(observed: Observed): PartState {
  const outage = outagePart(observed, 'storage')
  const warned = observed.warnings.filter(({ name }) => name.startsWith('storage'))
  if (outage.state === 'down' || warned.length === 0) return outage
  return { state: 'degraded', since: earliest(warned.map(({ at }) => at)) }
}

function mailPart(observed: Observed, ago: Ago): PartState {
  const { emails_waiting: count = 0, emails_oldest_seconds: oldest = 0 } = observed.figures
  const outage = outagePart(observed, 'mail')
  if (outage.state === 'down') return { ...outage, count }
  return oldest > LONG_WAIT_SECONDS ? { state: 'degraded', since: ago(oldest), count } : { ...ok, count }
}

function paymentsPart({ figures, isTestShop }: Observed, ago: Ago): PartState {
  const {
    payment_events_odd: odd = 0,
    payment_events_oldest_seconds: oldest = 0,
    gateway_unanswered: silent = 0,
  } = figures
  if (silent > 0) return { state: 'down', count: silent }
  if (odd > 0) return { state: 'degraded', count: odd, since: oldest > 0 ? ago(oldest) : null }
  return isTestShop ? lacking('test-payments') : ok
}

function jobsPart({ failed, oldest }: Queue, now: Date): PartState {
  const isLate = oldest !== null && now.getTime() - oldest.getTime() > LATE_JOB_SECONDS * 1000
  if (!isLate && failed === 0) return ok
  return { state: 'degraded', count: failed, since: isLate ? oldest.toISOString() : null }
}

function workPart({ holds_stale: holds = 0, messages_streaming_stale: answers = 0 }: DatabaseGauges): PartState {
  const count = holds + answers
  return count > 0 ? { state: 'degraded', count } : ok
}

function ledgerPart(figures: DatabaseGauges, ago: Ago): PartState {
  const { ledger_problems: problems, ledger_checked_age_seconds: age } = figures
  if (problems === undefined || age === undefined) return lacking('never-done')
  const at = ago(age)
  if (problems > 0) return { state: 'down', count: problems, at, since: at }
  return { state: age > DAILY ? 'degraded' : 'ok', at, since: age > DAILY ? at : null }
}

function backupsPart({ backup_age_seconds: age }: DatabaseGauges, ago: Ago): PartState {
  if (age === undefined) return lacking('never-done')
  const at = ago(age)
  return { state: age > DAILY ? 'degraded' : 'ok', at, since: age > DAILY ? at : null }
}
