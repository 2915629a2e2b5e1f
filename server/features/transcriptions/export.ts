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
import { shownSegments, shownSpeakers } from './speakers.ts'
import { spokenLines, turnsOf } from './spoken-lines.ts'
import { readRow } from './transcriptions.ts'

interface Writer {
  type: string
  write: (row: Row, owner: { id: string; name: string }) => Promise<string | Uint8Array<ArrayBuffer>>
}

const writers: Record<TranscriptFormat, Writer> = {
  txt: { type: 'text/plain; charset=utf-8', write: (row) => txtFile(row.title, namedText(row)) },
  srt: { type: 'application/x-subrip; charset=utf-8', write: (row) => srtFile(subtitlesOf(row)) },
  vtt: { type: 'text/vtt; charset=utf-8', write: (row) => vttFile(subtitlesOf(row)) },
  docx: {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    write: ({ title, text, segments, speakers, durationMs, createdAt }, owner) => {
      const transcript = { title, text, segments, speakers, durationMs, createdAt }
      return makeDocx(owner.id, { type: 'transcript', owner: owner.name, transcript })
    },
  },
}

export async function exportTranscription(ctx: Ctx, id: string, format: TranscriptFormat): Promise<Response> {
  const row = await readReady(ctx, id)
  if ((format === 'srt' || format === 'vtt') && !row.segments)
    throw new AppError('conflict', 'У этого текста нет меток времени, поэтому субтитров не получится.')
  const { type, write } = writers[format]
  return new Response(await write(row, ctx.user), { headers: fileHeaders(downloadName(row.title, format), type) })
}

/** Stores the text as a chat attachment, so that a new thread can begin with it. */
export async function attachTranscript(ctx: Ctx, storage: Storage, id: string): Promise<Attachment> {
  const row = await readReady(ctx, id)
  if (row.text.trim() === '') throw new AppError('conflict', 'В записи не нашлось слов: спрашивать не о чем.')
  const content = row.segments
    ? spokenLines(row)
        .map(({ second, speaker, text }) => `[${formatClock(second ?? 0)}] ${withName(speaker, text)}`)
        .join('\n')
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

/** With a paragraph for each turn, «Имя: текст», when it is known who spoke. */
export function namedText(row: Pick<Row, 'text' | 'segments' | 'speakers'>): string {
  if (row.speakers.length === 0) return row.text
  return turnsOf(spokenLines(row))
    .map(({ speaker, lines }) => withName(speaker, lines.map(({ text }) => text).join(' ')))
    .join('\n\n')
}

const withName = (speaker: string | null, text: string) => (speaker === null ? text : `${speaker}: ${text}`)

interface Subtitle extends Pick<Segment, 'start' | 'end' | 'text'> {
  speaker: string | null
}

function subtitlesOf({ segments, speakers }: Row): Subtitle[] {
  const names = new Map(shownSpeakers(speakers).map(({ key, name }) => [key, name]))
  return shownSegments(segments ?? [], speakers).map((segment) => ({
    ...segment,
    speaker: names.get(segment.speaker ?? '') ?? null,
  }))
}

export async function srtFile(subtitles: readonly Subtitle[]): Promise<string> {
  const entries = await inTurns(shownOf(subtitles), ({ start, end, speaker, text }, i) => {
    const spoken = escapeEntry(speaker === null ? text : `[${speaker}] ${text.trim()}`)
    return `${i + 1}\r\n${srtTime(start)} --> ${srtTime(end)}\r\n${spoken}\r\n`
  })
  return `\ufeff${entries.join('\r\n')}`
}

/** WebVTT names the speaker in a voice tag. */
export async function vttFile(subtitles: readonly Subtitle[]): Promise<string> {
  const vttTime = (seconds: number) => srtTime(seconds).replace(',', '.')
  const entries = await inTurns(shownOf(subtitles), ({ start, end, speaker, text }) => {
    const voice = speaker === null ? '' : `<v ${escapeVtt(speaker).replaceAll('&gt;', '')}>`
    return `${vttTime(start)} --> ${vttTime(end)}\n${voice}${escapeVtt(escapeEntry(text)).replaceAll('\r\n', '\n')}\n`
  })
  return ['WEBVTT\n', ...entries].join('\n')
}

/** Players drop entries without a duration. */
const shownOf = (subtitles: readonly Subtitle[]) =>
  subtitles
    .filter(({ text }) => text.trim() !== '')
    .map((subtitle) => ({ ...subtitle, end: Math.max(subtitle.end, subtitle.start + 0.001) }))

const escapeVtt = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

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
