import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Minutes, type MinutesDocument, minutesKinds } from '#contract/minutes.ts'
import type { Db } from '#server/db/client.ts'
import { type MeetingNotes, minutes } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Queue } from '#server/instances/queue.ts'
import { AppError, priceRisenError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { readMaskingSettings } from '../answers/masking.ts'
import { balanceOf } from '../billing/ledger.ts'
import { outOfSymbols } from '../billing/meter.ts'
import { type ModelRow, readModel, usualModelId } from '../models/models.ts'
import { cutParts, hashOf, lastHashOf, namesOf, type Part, sourceOf } from './parts.ts'
import { lastStepOf, offerOf, partSymbols, rememberedNotes } from './plan.ts'

import {
  kindOf,
  ownDocument,
  publishMinutes,
  type Recording,
  type Row,
  readDocument,
  readRecording,
  toDocument,
} from './rows.ts'

export interface MinutesRouteDeps {
  minutesQueue: Queue
  /** How many documents of one user may be written at once. */
  mostAtOnce: number
}

interface Planned {
  recording: Recording
  source: string
  model: ModelRow
  parts: Part[]
}

export async function readMinutes(ctx: Ctx, id: string, modelId: string | undefined): Promise<Minutes> {
  const recording = await readRecording(ctx.db, ctx.user.id, id)
  const source = sourceOf(recording.lines)
  const model = await pickModel(ctx, modelId)
  const rows = await rowsOf(ctx.db, ctx.user.id, id)
  const documents = rows.map((row) => toDocument(row, source))
  if (!model) return { documents, offers: [], modelId: null }
  const planned = await plan(ctx, recording, model)
  const offers = minutesKinds.map((kind) => {
    const row = rows.find((known) => known.kind === kind)
    return offerOf(kind, planned, usableNotes(row, rows, planned), model)
  })
  return { documents, offers: planned.parts.length === 0 ? [] : offers, modelId: model.id }
}

const rowsOf = (db: Db, userId: string, id: string) =>
  db
    .select()
    .from(minutes)
    .where(and(eq(minutes.userId, userId), eq(minutes.transcriptionId, id)))
    .orderBy(minutes.createdAt)

/** The named model, or the one that the user usually asks. */
async function pickModel(ctx: Ctx, modelId: string | undefined): Promise<ModelRow | null> {
  const id = modelId ?? (await usualModelId(ctx.db, ctx.user.id))
  if (id === null) return null
  const model = await readModel(ctx, id)
  if (model.kind !== 'text')
    throw new AppError('conflict', 'Эта модель не пишет текстов. Выберите другую.', { field: 'modelId' })
  return model
}

async function plan(ctx: Ctx, recording: Recording, model: ModelRow): Promise<Planned> {
  const names = (await readMaskingSettings(ctx.db, ctx.user.id))?.names
  const parts = cutParts(recording.lines, partSymbols(model), names)
  return { recording, source: sourceOf(recording.lines), model, parts }
}

/**
 * Notes that need not be taken again: those of an interrupted try, and those of the recording's other documents. A
 * finished document that is made again from the same text is read anew, since its owner wants another one.
 */
function usableNotes(
  row: Row | undefined,
  all: readonly Row[],
  { source, model, parts }: Planned,
): Map<string, MeetingNotes> {
  if (row?.state === 'ready' && row.source === source && row.modelId === model.id) return new Map()
  return rememberedNotes(
    all.flatMap(({ notes }) => notes),
    parts,
  )
}

interface MakeOptions {
  modelId?: string | undefined
  most?: number | undefined
  overwrite?: true | undefined
}

/** Queues the work, or continues it where it ended. One that runs already is only returned. */
export async function makeDocument(
  ctx: Ctx,
  { minutesQueue, mostAtOnce }: MinutesRouteDeps,
  id: string,
  name: string,
  options: MakeOptions,
): Promise<MinutesDocument> {
  const kind = kindOf(name)
  const recording = await readRecording(ctx.db, ctx.user.id, id)
  const model = await pickModel(ctx, options.modelId)
  if (!model) throw new AppError('unavailable', 'Моделей, которые пишут тексты, пока нет. Напишите в поддержку.')
  const planned = await plan(ctx, recording, model)
  if (planned.parts.length === 0) throw new AppError('conflict', 'В записи не нашлось слов.')
  const row = await ctx.db.transaction(async (tx) => {
    const rows = await rowsOf(tx, ctx.user.id, id).for('update')
    const now = rows.find((known) => known.kind === kind)
    if (now && isRunning(now)) return now
    if (now?.edited && !options.overwrite) throw editedError()
    await assertFew(tx, ctx.user.id, mostAtOnce)
    const known = usableNotes(now, rows, planned)
    const offer = offerOf(kind, planned, known, model)
    if (options.most !== undefined && offer.most > options.most) throw priceRisenError(PRICE_RISEN)
    await assertAffordable(tx, ctx.user.id, offer.usual)
    const queued = await queue(tx, { userId: ctx.user.id, kind, now, known, planned })
    publishMinutes(ctx.publish, queued)
    return queued
  })
  minutesQueue.wake()
  return toDocument(row, planned.source)
}

const isRunning = ({ state }: Row) => state === 'queued' || state === 'working'

interface Queued {
  userId: string
  kind: Row['kind']
  now: Row | undefined
  known: ReadonlyMap<string, MeetingNotes>
  planned: Planned
}

async function queue(tx: Db, { userId, kind, now, known, planned }: Queued): Promise<Row> {
  const { recording, model, parts } = planned
  const last = lastStepOf(kind, parts.length)
  const steps = [
    ...parts.map((part) => ({ hash: hashOf(model.id, part), names: part.names })),
    ...(last ? [{ hash: lastHashOf(model.id, last, planned), names: namesOf(parts) }] : []),
  ]
  const notes = steps.flatMap(({ hash, names }) => {
    const found = known.get(hash)
    return found ? [{ hash, notes: found, names }] : []
  })
  const isContinued = now !== undefined && now.state !== 'ready' && now.modelId === model.id
  const values = {
    state: 'queued' as const,
    ...{ modelId: model.id, notes, crashes: 0, instance: null, errorCode: null, errorMessage: null },
    stepsDone: notes.length,
    stepsTotal: steps.length,
    charged: isContinued ? now.charged : 0,
  }
  const [row] = await tx
    .insert(minutes)
    .values({ id: newId(), userId, transcriptionId: recording.id, kind, ...values })
    .onConflictDoUpdate({ target: [minutes.transcriptionId, minutes.kind], set: { ...values, updatedAt: sql`now()` } })
    .returning()
  if (!row) throw new AppError('internal', 'Документ не удалось поставить в очередь.')
  return row
}

async function assertFew(tx: Db, userId: string, most: number): Promise<void> {
  const running = await tx.$count(
    minutes,
    and(eq(minutes.userId, userId), inArray(minutes.state, ['queued', 'working'])),
  )
  if (running >= most)
    throw new AppError('too_many_requests', 'Пишется слишком много документов сразу. Дождитесь хотя бы одного.')
}

/** A balance that will not last is refused before anything is paid for. */
async function assertAffordable(tx: Db, userId: string, symbols: number): Promise<void> {
  const { availableTokens, dailyCap, spentToday, held } = await balanceOf(tx, userId)
  const left =
    dailyCap === null ? availableTokens : Math.min(availableTokens, Math.max(0, dailyCap - spentToday - held))
  if (symbols > left)
    throw outOfSymbols(
      left < availableTokens ? 'cap' : 'short',
      `Не хватает символов: нужно около ${symbols.toLocaleString('ru-RU')}. Пополните баланс.`,
    )
}

const editedError = () =>
  new AppError('conflict', 'Вы правили этот текст. Новый заменит его: подтвердите, что это можно сделать.', {
    field: 'overwrite',
  })

const PRICE_RISEN = 'Цена теперь выше названной: запись изменилась. Обновите страницу и повторите.'

/** The version says which text was edited: the other windows of the owner may have stored another one since. */
export async function editDocument(
  ctx: Ctx,
  id: string,
  name: string,
  { text, version }: { text: string; version: number },
): Promise<MinutesDocument> {
  const kind = kindOf(name)
  const { lines } = await readRecording(ctx.db, ctx.user.id, id)
  const row = await ctx.db.transaction(async (tx) => {
    const now = await readDocument(tx, ctx.user.id, id, kind)
    if (isRunning(now)) throw new AppError('conflict', 'Пишется новый текст: дождитесь его или остановите.')
    if (now.text === '') throw new AppError('conflict', 'Править пока нечего.')
    const [changed] = await tx
      .update(minutes)
      .set({ text, edited: true, version: sql`${minutes.version} + 1`, updatedAt: sql`now()` })
      .where(and(eq(minutes.id, now.id), eq(minutes.version, version), eq(minutes.state, now.state)))
      .returning()
    if (!changed) throw new AppError('conflict', 'Текст изменился в другом окне.', { field: 'version' })
    publishMinutes(ctx.publish, changed)
    return changed
  })
  return toDocument(row, sourceOf(lines))
}

/** What was read stays: continued, it is not paid for again. */
export async function stopDocument(
  ctx: Ctx,
  { minutesQueue }: MinutesRouteDeps,
  id: string,
  name: string,
): Promise<MinutesDocument> {
  const kind = kindOf(name)
  const [stopped] = await ctx.db
    .update(minutes)
    .set({ state: 'stopped', instance: null, updatedAt: sql`now()` })
    .where(and(ownDocument(ctx.user.id, id, kind), inArray(minutes.state, ['queued', 'working'])))
    .returning()
  if (!stopped) return toDocument(await readDocument(ctx.db, ctx.user.id, id, kind), null)
  minutesQueue.cancel(stopped.id)
  publishMinutes(ctx.publish, stopped)
  return toDocument(stopped, null)
}

export async function deleteDocument(ctx: Ctx, { minutesQueue }: MinutesRouteDeps, id: string, name: string) {
  const { id: documentId, kind } = await readDocument(ctx.db, ctx.user.id, id, kindOf(name))
  const [deleted] = await ctx.db
    .delete(minutes)
    .where(ownDocument(ctx.user.id, id, kind))
    .returning()
  minutesQueue.cancel(documentId)
  if (deleted) publishMinutes(ctx.publish, deleted)
  return { kind }
}
