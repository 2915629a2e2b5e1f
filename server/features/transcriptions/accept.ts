import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Transcription } from '#contract/transcriptions.ts'
import { checkSound, expectedSeconds, measureSound } from '#server/audio/duration.ts'
import { needsConversion, recogniseSound } from '#server/audio/sound.ts'
import { transcriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { createTurns } from '#server/lib/fair-turns.ts'
import { newId } from '#server/lib/ids.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { noConverterError, noFfmpegError } from './audio-source.ts'
import { downloadTo, soundIn } from './chunks.ts'
import type { TranscriptionRouteDeps } from './queue.ts'
import {
  allColumns,
  ownTranscription,
  publishTranscription,
  type Row,
  searchOf,
  toTranscription,
  transcriptionNotFound,
} from './rows.ts'

/** Checks the first chunk of an upload, so that a file of a wrong kind is rejected before the rest is sent. */
export async function checkHead(deps: TranscriptionRouteDeps, head: LocalFile, bytes: number): Promise<void> {
  const file = await open(head.path)
  try {
    const read = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    }
    const { mime } = await recogniseSound({ bytes: head.bytes, read })
    checkSize(deps, mime, bytes)
  } finally {
    await file.close()
  }
}

export type Measured = Pick<Row, 'mime' | 'durationMs'>

/** Recognises and measures a recording that was received completely. */
export async function measureRecording(deps: TranscriptionRouteDeps, row: Row): Promise<Measured> {
  const sound = soundIn(deps.storage, row)
  const { mime } = await recogniseSound(sound)
  checkSize(deps, mime, row.bytes)
  await checkSound(sound, mime)
  const measure = await measureSound(sound, mime)
  const seconds = expectedSeconds(measure, row.bytes, mime) ?? (await askFfprobe(deps, row))
  return { mime, durationMs: seconds === null ? null : Math.max(1, Math.round(seconds * 1000)) }
}

export async function queueRecording(
  ctx: Ctx,
  deps: TranscriptionRouteDeps,
  row: Row,
  measured: Measured,
): Promise<Transcription> {
  const [queued] = await ctx.db
    .update(transcriptions)
    .set({
      ...measured,
      received: row.bytes,
      state: 'queued',
      search: searchOf(row.title, ''),
      updatedAt: sql`now()`,
    })
    .where(ownTranscription(ctx.user.id, row.id))
    .returning(allColumns)
  if (!queued) throw transcriptionNotFound()
  publishTranscription(ctx.publish, ctx.user.id, row.id)
  deps.transcriptionQueue.wake()
  return toTranscription(queued)
}

function checkSize({ ffmpeg, sendLimits }: TranscriptionRouteDeps, mime: string, bytes: number): void {
  if (needsConversion(mime) && !ffmpeg) throw noConverterError()
  if (mime !== 'audio/wav' && bytes > sendLimits.wholeBytes && !ffmpeg) throw noFfmpegError(sendLimits.wholeBytes)
}

const probes = createTurns({
  ...{ size: 2, ofPerson: 1 },
  queue: { most: 20, rejection: 'Слишком много записей подряд. Подождите, пока проверятся первые.' },
})

function askFfprobe({ ffmpeg, storage, incoming }: TranscriptionRouteDeps, row: Row): Promise<number | null> {
  if (!ffmpeg) return Promise.resolve(null)
  return probes.run(row.userId, async () => {
    const path = join(incoming, newId())
    try {
      await downloadTo(storage, row, path)
      return await ffmpeg.seconds(path)
    } finally {
      await rm(path, { force: true })
    }
  })
}
