import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#server/lib/errors.ts'
import type { LocalFile, Storage } from '#server/storage/storage.ts'
import { receiveFile } from './receive.ts'

/**
 * A large file is stored in the chunks it was uploaded in. They are never joined: neither a folder nor S3 can do that
 * without writing all of the bytes again.
 */
export interface ChunkedFile {
  storageKey: string
  bytes: number
  chunkBytes: number
}

export interface ReceivedFile extends ChunkedFile {
  received: number
}

export const storageKeyIn = (chunkKey: string) => chunkKey.slice(chunkKey.indexOf('-') + 1)

/** The chunks under one prefix of the storage. */
export function chunkedFiles(prefix: string) {
  /** The id is at the end: its random characters spread the keys evenly. */
  const keyOf = ({ storageKey }: Pick<ChunkedFile, 'storageKey'>, number: number) => `${prefix}/${number}-${storageKey}`
  const keysOf = (file: ChunkedFile) =>
    Array.from({ length: Math.ceil(file.bytes / file.chunkBytes) }, (_, number) => keyOf(file, number))

  async function* bytesBetween(
    storage: Storage,
    file: ChunkedFile,
    from: number,
    to: number,
  ): AsyncGenerator<Uint8Array> {
    for (let at = from; at < to; ) {
      const number = Math.floor(at / file.chunkBytes)
      const start = number * file.chunkBytes
      const end = Math.min(to, start + file.chunkBytes)
      const chunk = await storage.read(keyOf(file, number), { from: at - start, to: end - start - 1 })
      if (!chunk) throw new Error(`A chunk of a file is missing: ${keyOf(file, number)}`)
      yield* chunk.stream
      at = end
    }
  }

  return {
    prefix,
    keyOf,
    keysOf,
    bytesBetween,
    /** Joins the chunks into a local file. */
    downloadTo: async (storage: Storage, file: ChunkedFile, path: string, signal?: AbortSignal): Promise<void> => {
      const bytes = Readable.from(bytesBetween(storage, file, 0, file.bytes))
      await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), signal ? { signal } : {})
    },
    /** Errors are ignored: the storage sweep deletes bytes that no row names. */
    deleteAll: async (storage: Storage, file: ChunkedFile): Promise<void> => {
      for (const key of keysOf(file)) await storage.delete(key).catch(() => undefined)
    },
    /**
     * Stores the next chunk if it is complete, and returns the new offset. Null for a chunk that is already stored.
     * Two requests with the same chunk write the same bytes; the caller lets only the first move the offset.
     */
    receive: async (
      { storage, incoming }: { storage: Storage; incoming: string },
      file: ReceivedFile,
      offset: number,
      body: AsyncIterable<Uint8Array>,
      check?: (first: LocalFile) => Promise<void>,
    ): Promise<number | null> => {
      if (offset < file.received) return null
      if (offset > file.received)
        throw new AppError('conflict', `Пришло ${file.received} байт: продолжайте с этого места.`, { field: 'offset' })
      const size = Math.min(file.chunkBytes, file.bytes - offset)
      const local = await receiveFile(body, incoming, size)
      try {
        if (local.bytes !== size)
          throw new AppError('bad_request', `В этой части должно быть ${size} байт, пришло ${local.bytes}.`)
        if (offset === 0) await check?.(local)
        await storage.put(keyOf(file, offset / file.chunkBytes), local, 'application/octet-stream')
      } finally {
        await rm(local.path, { force: true })
      }
      return offset + size
    },
  }
}
