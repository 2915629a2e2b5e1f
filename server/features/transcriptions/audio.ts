import { Readable } from 'node:stream'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { bytesBetween } from './chunks.ts'
import { readRow } from './transcriptions.ts'

/** The sound for its owner's player, whole or from where the player wants it. */
export async function recordingAudio(ctx: Ctx, storage: Storage, id: string, wanted?: string): Promise<Response> {
  const row = await readRow(ctx, id)
  if (row.received < row.bytes || row.mime === null) throw notFound('Запись ещё не загружена')
  const headers = {
    'content-type': row.mime,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    'content-disposition': 'inline',
  }
  const range = rangeOf(wanted, row.bytes)
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

/** One range, as players ask for it; null for the whole. The end is the place after the last byte. */
export function rangeOf(header: string | undefined, bytes: number): { from: number; to: number } | 'outside' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1)
  return from < to ? { from, to } : 'outside'
}
