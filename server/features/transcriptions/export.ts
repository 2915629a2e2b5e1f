import { Readable } from 'node:stream'
import type { Attachment } from '#contract/files.ts'
import type { Segment, TranscriptFormat } from '#contract/transcriptions.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { inTurns } from '#server/lib/pauses.ts'
import type { Storage } from '#server/storage/storage.ts'
import { downloadName, fileHeaders } from '../../files/file-name.ts'
import { storeText } from '../files/upload.ts'
import { makeDocx } from '../sharing/docx/make.ts'
import { bytesBetween } from './chunks.ts'
import { formatClock } from './money.ts'
import type { Row } from './rows.ts'
import { readRow } from './transcriptions.ts'

interface Writer {
  type: string
  write: (row: Row, owner: string) => Promise<string | Uint8Array<ArrayBuffer>>
}

const writers: Record<TranscriptFormat, Writer> = {
  txt: { type: 'text/plain; charset=utf-8', write: ({ title, text }) => txtFile(title, text) },
  srt: { type: 'application/x-subrip; charset=utf-8', write: ({ segments }) => srtFile(segments ?? []) },
  docx: {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    write: ({ title, text, segments, durationMs, createdAt }, owner) =>
      makeDocx({ type: 'transcript', owner, transcript: { title, text, segments, durationMs, createdAt } }),
  },
}

export async function exportTranscription(ctx: Ctx, id: string, format: TranscriptFormat): Promise<Response> {
  const row = await readReady(ctx, id)
  if (format === 'srt' && !row.segments)
    throw new AppError('conflict', 'У этого текста нет меток времени, поэтому субтитров не получится.')
  const { type, write } = writers[format]
  return new Response(await write(row, ctx.user.name), { headers: fileHeaders(downloadName(row.title, format), type) })
}

/** Stores the text as a chat attachment, so that a new thread can begin with it. */
export async function attachTranscript(ctx: Ctx, storage: Storage, id: string): Promise<Attachment> {
  const row = await readReady(ctx, id)
  if (row.text.trim() === '') throw new AppError('conflict', 'В записи не нашлось слов: спрашивать не о чем.')
  const content = row.segments
    ? row.segments.map(({ start, text }) => `[${formatClock(start)}] ${text.trim()}`).join('\n')
    : row.text
  return storeText(ctx, storage, { name: downloadName(row.title, 'txt'), content })
}

async function readReady(ctx: Ctx, id: string): Promise<Row> {
  const row = await readRow(ctx, id)
  if (row.state !== 'ready') throw new AppError('conflict', 'Текста ещё нет: дождитесь конца расшифровки.')
  return row
}

const PART = 100_000

export async function txtFile(title: string, text: string): Promise<string> {
  const whole = [title, text].filter(Boolean).join('\n\n')
  const starts = Array.from({ length: Math.ceil(whole.length / PART) }, (_, n) => n * PART)
  const parts = await inTurns(starts, (at) =>
    whole
      .slice(at, at + PART)
      .split('\n')
      .join('\r\n'),
  )
  return `\ufeff${parts.join('')}\r\n`
}

export async function srtFile(segments: readonly Segment[]): Promise<string> {
  const shown = segments.filter(({ text }) => text.trim() !== '')
  const entries = await inTurns(shown, ({ start, end, text }, i) => {
    // Players drop entries without a duration.
    const until = Math.max(end, start + 0.001)
    return `${i + 1}\r\n${srtTime(start)} --> ${srtTime(until)}\r\n${escapeEntry(text)}\r\n`
  })
  return `\ufeff${entries.join('\r\n')}`
}

/** An empty line would end the entry, and an arrow would begin another. */
const escapeEntry = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\r\n')
    .replaceAll('-->', '→')

export function srtTime(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60]
  return `${two(hours)}:${two(minutes)}:${two(rest)},${String(ms % 1000).padStart(3, '0')}`
}

/** The uploaded sound for the owner's player: all of it or the range in the header. */
export async function recordingAudio(ctx: Ctx, storage: Storage, id: string, rangeHeader?: string): Promise<Response> {
  const row = await readRow(ctx, id)
  if (row.received < row.bytes || row.mime === null) throw notFound('Запись ещё не загружена')
  const headers = {
    'content-type': row.mime,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    'content-disposition': 'inline',
  }
  const range = parseRange(rangeHeader, row.bytes)
  if (range === 'outside')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${row.bytes}` } })
  const { from, to } = range ?? { from: 0, to: row.bytes }
  return new Response(Readable.toWeb(Readable.from(bytesBetween(storage, row, from, to))) as ReadableStream, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(to - from),
      ...(range ? { 'content-range': `bytes ${from}-${to - 1}/${row.bytes}` } : {}),
    },
  })
}

/** A single range; null (send everything) for no header and for forms that players do not use. `to` is exclusive. */
export function parseRange(header: string | undefined, bytes: number): { from: number; to: number } | 'outside' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1)
  return from < to ? { from, to } : 'outside'
}
