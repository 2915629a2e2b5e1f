import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { assistants, models, settings, threads, users } from '#server/db/schema.ts'
import { longRunning } from '#server/db/transactions.ts'
import { queueEmail } from '#server/email/outbox.ts'
import { modelRetiresEmail } from '#server/email/templates/models.ts'
import type { Job } from '#server/jobs/jobs.ts'
import type { Log } from '#server/lib/log.ts'
import type { Providers } from '#server/llm/providers.ts'
import { audit } from '../audit/audit.ts'
import { dayOf } from '../billing/days.ts'
import { isRetired, isSameModel, knownRetirement, noticeStep } from './known-retirements.ts'
import type { ModelRow } from './models.ts'

export interface RetirementDeps {
  db: Db
  providers: Providers
  log: Log
  appName: string
  appUrl: string
}

/** The lists of providers are read once a day; due notices and moves are checked every hour. */
export const retirementJobs = (deps: RetirementDeps): Job[] => [
  { name: 'read-retirements', cron: '20 4 * * *', run: () => readAnnounced(deps), limitSeconds: 300 },
  { name: 'retire-models', cron: '13 * * * *', run: () => retireModels(deps), limitSeconds: 3600 },
]

const OPENAI_HOST = 'api.openai.com'
const Day = z.iso.date()
/** The actor in the audit log for actions of jobs. */
const serverActor = { user: { id: 'system', email: 'Сервер' }, ip: '' }

/** Stores the days on which providers switch models off, where the owner has set none. */
export async function readAnnounced({ db, providers, log }: Omit<RetirementDeps, 'appName' | 'appUrl'>): Promise<void> {
  const rows = await db.select().from(models)
  for (const { name, baseUrl } of providers.list()) {
    const own = rows.filter(({ provider }) => provider === name && name !== 'demo')
    if (own.length === 0) continue
    const offer = await providers.offer(name).catch((error: unknown) => {
      log.warn({ err: error, provider: name }, 'retirement: the list of models was not read')
      return []
    })
    const dates = new Map(offer.map(({ id, shutdownDate }) => [id, shutdownDate]))
    for (const model of own) {
      const isOfficial = baseUrl !== null && new URL(baseUrl).hostname === OPENAI_HOST
      const on = dates.get(model.providerModel) ?? (isOfficial ? knownRetirement(model.providerModel)?.on : null)
      const day = Day.safeParse(on?.slice(0, 10))
      if (day.success) await noteAnnounced(db, model, day.data)
    }
  }
  await proposeSuccessors(db)
}

/** A day that the owner chose stays; one that came from a provider follows it. */
async function noteAnnounced(db: Db, { id, announcedOn }: ModelRow, day: string): Promise<void> {
  if (announcedOn === day) return
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(models).where(eq(models.id, id)).for('update')
    if (!before || before.announcedOn === day) return
    const isOwners = before.retiresOn !== null && before.retiresOn !== before.announcedOn
    await tx
      .update(models)
      .set({ announcedOn: day, ...(!isOwners && { retiresOn: day }) })
      .where(eq(models.id, id))
    if (isOwners || before.retiresOn === day) return
    await audit(
      { ...serverActor, db: tx },
      {
        action: 'model.change',
        kind: 'model',
        target: id,
        before: { retiresOn: before.retiresOn },
        after: { retiresOn: day },
      },
    )
  })
}

/** A known successor that is in the list already; the owner may choose another. */
async function proposeSuccessors(db: Db): Promise<void> {
  const rows = await db.select().from(models)
  for (const { id, kind, providerModel, retiresOn, successorId } of rows) {
    const name = retiresOn === null || successorId !== null ? null : knownRetirement(providerModel)?.successor
    const found =
      name && rows.find((other) => canSucceed(other, { id, kind }) && isSameModel(other.providerModel, name))
    if (!found) continue
    await db.transaction(async (tx) => {
      const [set] = await tx
        .update(models)
        .set({ successorId: found.id })
        .where(and(eq(models.id, id), isNull(models.successorId)))
        .returning({ id: models.id })
      if (!set) return
      const after = { successorId: found.id }
      await audit(
        { ...serverActor, db: tx },
        { action: 'model.change', kind: 'model', target: id, before: { successorId: null }, after },
      )
    })
  }
}

const canSucceed = (other: ModelRow, { id, kind }: Pick<ModelRow, 'id' | 'kind'>) =>
  other.id !== id && other.kind === kind && !other.hidden

/** Notifies the owner of models that will be switched off, and moves people away from those that are. */
export async function retireModels(deps: RetirementDeps, now = new Date()): Promise<void> {
  const today = dayOf(now)
  const dated = await deps.db
    .select()
    .from(models)
    .where(and(isNotNull(models.retiresOn), eq(models.hidden, false)))
    .orderBy(asc(models.retiresOn), asc(models.id))
  for (const model of dated) {
    await notifyOwner(deps, model, today)
    if (model.retiresOn !== null && isRetired(today, model.retiresOn)) await retire(deps, model, today)
  }
}

/** Sent once for each retirement day and step, by the server that comes first. */
async function notifyOwner({ db, appName, appUrl }: RetirementDeps, model: ModelRow, today: string): Promise<void> {
  const step = model.retiresOn && noticeStep(today, model.retiresOn)
  if (!model.retiresOn || !step) return
  const notice = `${model.retiresOn}:${step}`
  const { name, providerModel, retiresOn } = model
  await db.transaction(async (tx) => {
    const notYet = or(isNull(models.retirementNotice), ne(models.retirementNotice, notice))
    const [first] = await tx
      .update(models)
      .set({ retirementNotice: notice })
      .where(and(eq(models.id, model.id), notYet))
      .returning({ successorId: models.successorId })
    if (!first) return
    const successor = first.successorId && (await findModel(tx, first.successorId))?.name
    const known = knownRetirement(providerModel)?.successor ?? null
    const admins = await tx
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(
        and(
          sql`'admin' = any(string_to_array(replace(${users.role}, ' ', ''), ','))`,
          or(isNull(users.banned), eq(users.banned, false)),
        ),
      )
    for (const { id, email: to } of admins) {
      const url = `${appUrl}/admin/models/${encodeURIComponent(model.id)}`
      const email = modelRetiresEmail({ to, appName, url, name, retiresOn, successor: successor || null, known })
      await queueEmail(tx, `model-retires:${model.id}:${notice}:${id}`, email)
    }
  })
}

async function findModel(db: Db, id: string): Promise<ModelRow | undefined> {
  return (await db.select().from(models).where(eq(models.id, id)))[0]
}

/** The successor; if it cannot be used or is retired too, its own successor, and so on. */
async function successorOf(db: Db, model: ModelRow, today: string): Promise<ModelRow | null> {
  const seen = new Set([model.id])
  for (let id = model.successorId; id !== null && !seen.has(id); ) {
    seen.add(id)
    const next = await findModel(db, id)
    if (!next) return null
    const isUsable = canSucceed(next, model) && (next.retiresOn === null || !isRetired(today, next.retiresOn))
    if (isUsable) return next
    id = next.successorId
  }
  return null
}

const BATCH = 1000

/**
 * Threads are moved in batches, which may be repeated. Then one transaction moves the remaining threads, the settings
 * and the assistants and hides the model; the lock on its row lets only one server do that.
 */
async function retire({ db, log }: RetirementDeps, model: ModelRow, today: string): Promise<void> {
  // Vectors belong to their embedding model; the owner must decide when all files are embedded again.
  const to = model.kind === 'embedding' ? null : await successorOf(db, model, today)
  if (!to) return log.warn({ modelId: model.id }, 'retirement: a retired model has no successor')
  const slow = longRunning(db)
  let moved = await moveThreads(slow, model.id, to.id)
  const isDone = await db.transaction(async (tx) => {
    const [now] = await tx.select().from(models).where(eq(models.id, model.id)).for('update')
    if (!now || now.hidden || now.retiresOn !== model.retiresOn) return false
    await tx.update(models).set({ hidden: true }).where(eq(models.id, model.id))
    await tx
      .update(models)
      .set({ fallbackId: sql`nullif(${to.id}, ${models.id})` })
      .where(eq(models.fallbackId, model.id))
    const people = await tx
      .update(settings)
      .set({ threadModel: to.id })
      .where(eq(settings.threadModel, model.id))
      .returning({ id: settings.userId })
    const bots = await tx
      .update(assistants)
      .set({ modelId: to.canUseWithAssistant ? to.id : null })
      .where(eq(assistants.modelId, model.id))
      .returning({ id: assistants.id })
    moved += await moveThreads(tx, model.id, to.id)
    const after = { hidden: true, successorId: to.id, people: people.length, assistants: bots.length, threads: moved }
    const note = { action: 'model.retire', kind: 'model', target: model.id, before: { hidden: false }, after }
    await audit({ ...serverActor, db: tx }, note)
    return true
  })
  if (isDone) log.info({ modelId: model.id, successorId: to.id, threads: moved }, 'retirement: a model was replaced')
}

/** Walks over the threads by id, because there is no index by model. */
async function moveThreads(db: Db, from: string, to: string): Promise<number> {
  let moved = 0
  for (let after = ''; ; ) {
    const page = await db
      .select({ id: threads.id })
      .from(threads)
      .where(and(gt(threads.id, after), eq(threads.modelId, from)))
      .orderBy(asc(threads.id))
      .limit(BATCH)
    const last = page.at(-1)?.id
    if (last === undefined) return moved
    const ids = page.map(({ id }) => id)
    await db
      .update(threads)
      .set({ modelId: to, movedFrom: from })
      .where(and(inArray(threads.id, ids), eq(threads.modelId, from)))
    moved += ids.length
    after = last
  }
}

/** The models that are switched off within 60 days, or are over and still visible. */
export async function retiringModels(db: Db, now = new Date()) {
  const rows = await db.select().from(models)
  const today = dayOf(now)
  return rows
    .flatMap(({ id, name, hidden, retiresOn, successorId }) => {
      if (hidden || retiresOn === null) return []
      if (!isRetired(today, retiresOn) && noticeStep(today, retiresOn) === null) return []
      const successor = rows.find((other) => other.id === successorId)
      return [{ id, name, retiresOn, successor: successor?.name ?? null }]
    })
    .sort((a, b) => a.retiresOn.localeCompare(b.retiresOn))
}
