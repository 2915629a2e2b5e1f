import type { ReadableStream } from 'node:stream/web'

/** Object storage: a folder or S3. A key is `prefix/id`. */
export interface Storage {
  /** Stores the object completely or not at all. A given file may be moved away. */
  put: (key: string, content: Uint8Array | LocalFile, mime: string) => Promise<void>
  /** Null when the key does not exist. */
  read: (key: string, range?: Range) => Promise<StoredObject | null>
  /** Deleting a missing key succeeds. */
  delete: (key: string) => Promise<void>
  /** All keys under a prefix, unordered, with the time they were stored. */
  list: (prefix: string) => AsyncIterable<{ key: string; at: Date }>
  readOwner: () => Promise<string | null>
  writeOwner: (owner: string) => Promise<void>
}

/** The object that names the owner, beside the prefixes. */
export const OWNER_FILE = '.installation'

/** The storage is unavailable or rejects our requests. */
export class StorageError extends Error {
  override name = 'StorageError'
  /** The error code of S3; null when there was no response. */
  readonly code: string | null

  constructor(message: string, { code = null, cause }: { code?: string | null; cause?: unknown } = {}) {
    super(message, { cause })
    this.code = code
  }
}

export interface LocalFile {
  path: string
  bytes: number
}

/** First and last byte, both inclusive. */
export interface Range {
  from: number
  to: number
}

export interface StoredObject {
  stream: ReadableStream<Uint8Array>
  bytes: number
}

/** Keys are created by the server only; anything else is a bug. */
export function splitKey(key: string): [prefix: string, id: string] {
  const [, prefix, id] = /^([a-z]+)\/([\w-]+)$/.exec(key) ?? []
  if (!prefix || !id) throw new Error(`Not a key of the storage: ${key}`)
  return [prefix, id]
}

export async function readWhole(storage: Storage, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const stored = await storage.read(key)
  if (!stored) return null
  const whole = new Uint8Array(stored.bytes)
  let at = 0
  for await (const chunk of stored.stream) {
    whole.set(chunk, at)
    at += chunk.length
  }
  if (at !== stored.bytes) throw new Error(`${key} ended after ${at} of ${stored.bytes} bytes`)
  return whole
}
