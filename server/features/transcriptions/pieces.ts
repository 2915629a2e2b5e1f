import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Sound } from '#server/audio/sound.ts'
import type { Storage } from '#server/storage/storage.ts'

/**
 * A recording lies in the storage in the pieces it came in: a large one is never put together, because neither a
 * folder nor S3 could do that without writing all of it again.
 */
export interface Pieces {
  storageKey: string
  bytes: number
  pieceBytes: number
}

export const RECORDINGS = 'recordings'

/** The number first: the random end of the id spreads the pieces evenly. */
export const pieceKey = ({ storageKey }: Pick<Pieces, 'storageKey'>, number: number) =>
  `${RECORDINGS}/${number}-${storageKey}`

/** The recording that a chunk belongs to. */
export const storageKeyIn = (chunkKey: string) => chunkKey.slice(chunkKey.indexOf('-') + 1)

export const chunkKeys = (pieces: Pieces) =>
  Array.from({ length: countOf(pieces) }, (_, number) => pieceKey(pieces, number))

const countOf = ({ bytes, pieceBytes }: Pieces) => Math.ceil(bytes / pieceBytes)

/** The bytes from one place to before another, as they come. */
export async function* bytesBetween(
  storage: Storage,
  pieces: Pieces,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const number = Math.floor(at / pieces.pieceBytes)
    const start = number * pieces.pieceBytes
    const end = Math.min(to, start + pieces.pieceBytes)
    const kept = await storage.read(pieceKey(pieces, number), { from: at - start, to: end - start - 1 })
    if (!kept) throw new Error(`A piece of a recording is gone: ${pieceKey(pieces, number)}`)
    yield* kept.stream
    at = end
  }
}

export function soundIn(storage: Storage, pieces: Pieces): Sound {
  return {
    bytes: pieces.bytes,
    read: async (offset, length) => {
      const to = Math.min(pieces.bytes, offset + length)
      const chunks: Uint8Array[] = []
      for await (const chunk of bytesBetween(storage, pieces, Math.min(offset, to), to)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
  }
}

/** The whole recording as a file on this machine, for programs that want one. */
export async function downloadTo(storage: Storage, pieces: Pieces, path: string, signal?: AbortSignal): Promise<void> {
  const bytes = Readable.from(bytesBetween(storage, pieces, 0, pieces.bytes))
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), signal ? { signal } : {})
}

/** What cannot be deleted now is collected later, when nothing in the database names it. */
export async function forgetPieces(storage: Storage, pieces: Pieces): Promise<void> {
  for (const key of chunkKeys(pieces)) await storage.delete(key).catch(() => undefined)
}
