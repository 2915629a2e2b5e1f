import { and, eq, sql } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import { minutesTitles } from '#contract/minutes.ts'
import type { Db } from '#server/db/client.ts'
import { type MeetingNotes, minutes, models, type PartNotes } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import type { Instance } from '#server/instances/instance.ts'
import { isClaimed, OwnershipLost, SERVER_STOPS } from '#server/instances/queue.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { Providers } from '#server/llm/providers.ts'
import { type MaskingSettings, readMaskingSettings } from '../answers/masking.ts'
import type { ModelRow } from '../models/models.ts'
import { joinNotes, lastStepInput, writeDocument } from './documents.ts'
import { readNotes } from './notes.ts'
import { cutParts, hashOf, lastHashOf, namesOf, type Part, sourceOf } from './parts.ts'
import { lastStepOf, MAX_WRITTEN, mostNotes, partSymbols, rememberedNotes } from './plan.ts'
import { letterRequest, notesRequest, repairRequest, summaryRequest } from './requests.ts'
import { publishMinutes, type Recording, type Row, readRecording } from './rows.ts'
import { type PaidStep, paidStep } from './step.ts'

export interface MinutesDeps {
  db: Db
  publish: Publish
  log: Log
  providers: Providers
  instance: Pick<Instance, 'id'>
}

/** A document whose worker dies again and again fails until its owner continues it. */
const MAX_CRASHES = 3

/** Continues with the step where the last try ended. Leaves the row ready or failed, or queued if the server stops. */
export async function writeMeetingDocument(deps: MinutesDeps, row: Row, signal: AbortSignal): Promise<void> {
  try {
    if (row.crashes > MAX_CRASHES)
      throw new AppError('internal', 'Работа несколько раз прерывалась. Продолжите её позже.')
    const work = await retryWhileUnavailable(() => prepare(deps, row), { signal })
    await writeSteps(work, signal)
  } catch (error) {
    await recordFailure(deps, row, signal.aborted ? signal.reason : error).catch((failed: unknown) =>
      deps.log.error({ err: failed, minutesId: row.id }, 'minutes: the failure could not be recorded'),
    )
  }
}

/** What is known of the document while it is written; the row has the same, so that a repeated write changes nothing. */
interface Work {
  deps: MinutesDeps
  row: Row
  recording: Recording
  model: ModelRow
  maskingSettings: MaskingSettings
  parts: Part[]
  stored: PartNotes[]
  charged: number
  stepsDone: number
}

async function prepare(deps: MinutesDeps, row: Row): Promise<Work> {
  const { db } = deps
  const recording = await readRecording(db, row.userId, row.transcriptionId)
  const [model] = await db
    .select()
    .from(models)
    .where(and(eq(models.id, row.modelId ?? ''), eq(models.kind, 'text')))
  if (!model) throw new AppError('not_found', 'Этой модели больше нет. Продолжите с другой.')
  const maskingSettings = await readMaskingSettings(db, row.userId)
  const parts = cutParts(recording.lines, partSymbols(model), maskingSettings?.names)
  if (parts.length === 0) throw new AppError('conflict', 'В записи не нашлось слов.')
  return {
    ...{ deps, row, recording, model, maskingSettings, parts },
    ...{ stored: [...row.notes], charged: row.charged, stepsDone: 0 },
  }
}

async function writeSteps(work: Work, signal: AbortSignal): Promise<void> {
  const { deps, row, model, parts, stored } = work
  const known = rememberedNotes(stored, parts)
  const last = lastStepOf(row.kind, parts.length)
  work.stepsDone = parts.filter((part) => known.has(hashOf(model.id, part))).length
  await deps.db.transaction((tx) =>
    change(tx, work, { stepsTotal: parts.length + (last ? 1 : 0), stepsDone: work.stepsDone }),
  )
  const notes: MeetingNotes[] = []
  for (const [index, part] of parts.entries()) {
    signal.throwIfAborted()
    notes.push(known.get(hashOf(model.id, part)) ?? (await takeNotes(work, part, index, signal)))
  }
  signal.throwIfAborted()
  // Written already, before a speaker was renamed.
  const written = last ? (known.get(lastHashOf(model.id, last, work))?.summary ?? null) : null
  if (last && written === null) await writeLast(work, last, notes, signal)
  else
    await retryWhileUnavailable(() =>
      deps.db.transaction((tx) => finish(tx, work, notes, last && written !== null ? { last, written } : null)),
    )
}

async function takeNotes(work: Work, part: Part, index: number, signal: AbortSignal): Promise<MeetingNotes> {
  const { recording, parts, stored, model } = work
  const input = countSymbols(part.text)
  const request = notesRequest(meetingOf(recording), part, index + 1, parts.length)
  return paidStep(
    {
      ...stepOf(work, index, parts.length > 1 ? `, часть ${index + 1} из ${parts.length}` : ''),
      ...{ input, most: mostNotes(input), request },
      read: (text) => readNotes(text, part),
      repair: (text) => repairRequest(request, text),
      store: async (tx, notes, symbols) => {
        const next = [...stored, { hash: hashOf(model.id, part), notes, names: part.names }]
        await change(tx, work, { notes: next, stepsDone: work.stepsDone + 1, charged: work.charged + symbols })
      },
      onStored: (notes, symbols) => {
        stored.push({ hash: hashOf(model.id, part), notes, names: part.names })
        work.stepsDone += 1
        work.charged += symbols
      },
    },
    signal,
  )
}

async function writeLast(work: Work, step: 'summary' | 'letter', notes: MeetingNotes[], signal: AbortSignal) {
  const { recording, parts, model } = work
  const input = lastStepInput(step, notes, partSymbols(model))
  await paidStep(
    {
      ...stepOf(work, parts.length, step === 'summary' ? ', сведение частей' : ''),
      ...{ input: countSymbols(input), most: MAX_WRITTEN[step] },
      request: step === 'summary' ? summaryRequest(input) : letterRequest(meetingOf(recording), input),
      read: (text) => text.trim() || null,
      store: (tx, written, symbols) => finish(tx, work, notes, { last: step, written }, symbols),
    },
    signal,
  )
}

const longDate = new Intl.DateTimeFormat('ru', { dateStyle: 'long', timeZone: 'Europe/Moscow' })

const meetingOf = ({ title, createdAt }: Recording) => ({ title, date: longDate.format(createdAt) })

/** The key is that of this claim and this step: repeated, it is charged once. */
function stepOf({ deps, row, model, maskingSettings }: Work, index: number, place: string) {
  return {
    ...{ deps, model, maskingSettings },
    key: `minutes:${row.id}:${row.tries}:${index}`,
    userId: row.userId,
    note: `${minutesTitles[row.kind]}${place}`,
  } satisfies Partial<PaidStep<unknown>>
}

interface Written {
  last: 'summary' | 'letter'
  written: string
}

/** The new text takes the place of the old one in the same transaction that pays for its last step. */
async function finish(tx: Db, work: Work, notes: MeetingNotes[], last: Written | null, symbols = 0) {
  const { row, recording, stepsDone, stored, charged } = work
  await change(tx, work, {
    state: 'ready',
    text: writeDocument(row.kind, joinNotes(notes), last?.written ?? null),
    notes: last ? withLast(work, last) : stored,
    edited: false,
    version: row.version + 1,
    source: sourceOf(recording.lines),
    stepsDone: stepsDone + (last ? 1 : 0),
    charged: charged + symbols,
    instance: null,
    errorCode: null,
    errorMessage: null,
  })
}

/** Kept with the notes, so that a renamed speaker is renamed in it as in them. */
function withLast(work: Work, { last, written }: Written): PartNotes[] {
  const { model, stored, parts } = work
  const hash = lastHashOf(model.id, last, work)
  const notes = { summary: written, decisions: [], tasks: [], questions: [] }
  return [...stored.filter((known) => known.hash !== hash), { hash, notes, names: namesOf(parts) }]
}

/** Each step is stored at once, so that a try after a crash begins with the next one. */
async function change(tx: Db, { deps, row }: Work, values: Partial<typeof minutes.$inferInsert>): Promise<void> {
  const [changed] = await tx
    .update(minutes)
    .set({ ...values, updatedAt: sql`now()` })
    .where(isClaimed(minutes, row))
    .returning({ id: minutes.id })
  if (!changed) throw new OwnershipLost()
  publishMinutes(deps.publish, row)
}

/** A failure costs nothing: the step that failed was not charged, and those before it are stored and not paid again. */
async function recordFailure({ db, publish, log }: MinutesDeps, row: Row, reason: unknown): Promise<void> {
  if (reason instanceof OwnershipLost) return
  if (reason === SERVER_STOPS) {
    await db.update(minutes).set({ state: 'queued', instance: null }).where(isClaimed(minutes, row))
    return
  }
  const { code, message } = failureOf(reason)
  if (code === 'internal') log.error({ err: reason, minutesId: row.id }, 'minutes: a document failed')
  else if (reason instanceof LlmError) log.warn({ err: reason, minutesId: row.id }, 'minutes: the model failed')
  await retryWhileUnavailable(() =>
    db
      .update(minutes)
      .set({ state: 'failed', instance: null, errorCode: code, errorMessage: message, updatedAt: sql`now()` })
      .where(isClaimed(minutes, row)),
  )
  publishMinutes(publish, row)
}

const FILTERED = 'Модель отказалась читать эту запись по своим правилам. Выберите другую.'
const UNREADABLE = 'Модель ответила не так, как нужно для протокола. Повторите или выберите другую.'

function failureOf(reason: unknown): { code: string; message: string } {
  if (reason instanceof AppError) return { code: reason.code, message: reason.message }
  if (!(reason instanceof LlmError))
    return { code: 'internal', message: 'Работа прервалась по нашей вине. Продолжите её.' }
  const isOdd = reason.reason === 'not-json' || reason.kind === 'too_long'
  return { code: 'model_failed', message: reason.kind === 'filter' ? FILTERED : isOdd ? UNREADABLE : reason.message }
}
