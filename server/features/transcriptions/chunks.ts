import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Sound } from '#server/audio/sound.ts'
import { transcriptions } from '#server/db/schema.ts'
import type { Storage } from '#server/storage/storage.ts'
import { BATCH, batches, type StoredKind } from '../storage/kinds.ts'

/**
 * A recording is stored in the chunks it was uploaded in. They are never joined: neither a folder nor S3 can do that
 * without writing all of the bytes again.
 */
export interface ChunkedFile {
  storageKey: string
  bytes: number
  chunkBytes: number
}

export const RECORDINGS = 'recordings'

/** The id is at the end: its random characters spread the keys evenly. */
export const chunkKeyOf = ({ storageKey }: Pick<ChunkedFile, 'storageKey'>, number: number) =>
  `${RECORDINGS}/${number}-${storageKey}`

export const storageKeyIn = (chunkKey: string) => chunkKey.slice(chunkKey.indexOf('-') + 1)

export const chunkKeys = (file: ChunkedFile) =>
  Array.from({ length: countOf(file) }, (_, number) => chunkKeyOf(file, number))

const countOf = ({ bytes, chunkBytes }: ChunkedFile) => Math.ceil(bytes / chunkBytes)

export async function* bytesBetween(
  storage: Storage,
  file: ChunkedFile,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const number = Math.floor(at / file.chunkBytes)
    const start = number * file.chunkBytes
    const end = Math.min(to, start + file.chunkBytes)
    const chunk = await storage.read(chunkKeyOf(file, number), { from: at - start, to: end - start - 1 })
    if (!chunk) throw new Error(`A chunk of a recording is missing: ${chunkKeyOf(file, number)}`)
    yield* chunk.stream
    at = end
  }
}

export function soundIn(storage: Storage, file: ChunkedFile): Sound {
  return {
    bytes: file.bytes,
    read: async (offset, length) => {
      const to = Math.min(file.bytes, offset + length)
      const chunks: Uint8Array[] = []
      for await (const chunk of bytesBetween(storage, file, Math.min(offset, to), to)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
  }
}

/** Joins the chunks into a local file, which ffmpeg needs. */
export async function downloadTo(
  storage: Storage,
  file: ChunkedFile,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const bytes = Readable.from(bytesBetween(storage, file, 0, file.bytes))
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), signal ? { signal } : {})
}

/** Errors are ignored: the storage sweep deletes bytes that no row names. */
export async function deleteChunks(storage: Storage, file: ChunkedFile): Promise<void> {
  for (const key of chunkKeys(file)) await storage.delete(key).catch(() => undefined)
}

const chunkColumns = {
  id: transcriptions.id,
  storageKey: transcriptions.storageKey,
  // Only the received chunks of an unfinished upload are in the storage.
  bytes: transcriptions.received,
  chunkBytes: transcriptions.chunkBytes,
}

export const recordings: StoredKind = {
  label: 'записи',
  prefix: RECORDINGS,
  named: async (db, keys) => {
    const rows = await db
      .select({ key: transcriptions.storageKey })
      .from(transcriptions)
      .where(inArray(transcriptions.storageKey, [...new Set(keys.map(storageKeyIn))]))
    const known = new Set(rows.map(({ key }) => key))
    return new Set(keys.filter((key) => known.has(storageKeyIn(key))))
  },
  keys: (db, userId) =>
    batches(
      transcriptions.id,
      (after) =>
        db
          .select(chunkColumns)
          .from(transcriptions)
          .where(and(after, userId === undefined ? undefined : eq(transcriptions.userId, userId)))
          .orderBy(asc(transcriptions.id))
          .limit(BATCH),
      (row) => chunkKeys(row),
    ),
}
