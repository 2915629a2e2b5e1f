import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Sound } from '#server/audio/sound.ts'
import type { Storage } from '#server/storage/storage.ts'

/**
 * A recording lies in the storage in the pieces it came in: a large one is never put together, because neither a
 * folder nor S3 could do that without writing all of it again.
 */
export interface ChunkedFile {
  storageKey: string
  bytes: number
  chunkBytes: number
}

export const RECORDINGS = 'recordings'

/** The number first: the random end of the id spreads the pieces evenly. */
export const chunkKeyOf = ({ storageKey }: Pick<ChunkedFile, 'storageKey'>, number: number) =>
  `${RECORDINGS}/${number}-${storageKey}`

/** The recording that a chunk belongs to. */
export const storageKeyIn = (chunkKey: string) => chunkKey.slice(chunkKey.indexOf('-') + 1)

export const chunkKeys = (fileChunks: ChunkedFile) =>
  Array.from({ length: countOf(fileChunks) }, (_, number) => chunkKeyOf(fileChunks, number))

const countOf = ({ bytes, chunkBytes }: ChunkedFile) => Math.ceil(bytes / chunkBytes)

/** The bytes from one place to before another, as they come. */
export async function* bytesBetween(
  storage: Storage,
  fileChunks: ChunkedFile,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const number = Math.floor(at / fileChunks.chunkBytes)
    const start = number * fileChunks.chunkBytes
    const end = Math.min(to, start + fileChunks.chunkBytes)
    const kept = await storage.read(chunkKeyOf(fileChunks, number), { from: at - start, to: end - start - 1 })
    if (!kept) throw new Error(`A piece of a recording is gone: ${chunkKeyOf(fileChunks, number)}`)
    yield* kept.stream
    at = end
  }
}

export function soundIn(storage: Storage, fileChunks: ChunkedFile): Sound {
  return {
    bytes: fileChunks.bytes,
    read: async (offset, length) => {
      const to = Math.min(fileChunks.bytes, offset + length)
      const chunks: Uint8Array[] = []
      for await (const chunk of bytesBetween(storage, fileChunks, Math.min(offset, to), to)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
  }
}

/** The whole recording as a file on this machine, for programs that want one. */
export async function downloadTo(
  storage: Storage,
  fileChunks: ChunkedFile,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const bytes = Readable.from(bytesBetween(storage, fileChunks, 0, fileChunks.bytes))
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), signal ? { signal } : {})
}

/** What cannot be deleted now is collected later, when nothing in the database names it. */
export async function deleteChunks(storage: Storage, fileChunks: ChunkedFile): Promise<void> {
  for (const key of chunkKeys(fileChunks)) await storage.delete(key).catch(() => undefined)
}
