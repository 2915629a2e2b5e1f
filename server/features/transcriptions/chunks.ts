import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Sound } from '#server/audio/sound.ts'
import { transcriptions } from '#server/db/schema.ts'
import { type ChunkedFile, chunkedFiles, storageKeyIn } from '#server/files/chunked-files.ts'
import type { Storage } from '#server/storage/storage.ts'
import { BATCH, batches, type StoredKind } from '../storage/kinds.ts'

export const RECORDINGS = 'recordings'

export const recordingChunks = chunkedFiles(RECORDINGS)
export const { keyOf: chunkKeyOf, bytesBetween, downloadTo, deleteAll: deleteChunks } = recordingChunks

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
      (row) => recordingChunks.keysOf(row),
    ),
}
