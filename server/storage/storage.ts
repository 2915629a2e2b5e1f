import type { ReadableStream } from 'node:stream/web'

/** Where bytes are kept under keys of ours: a folder, or S3. A key is `prefix/id`. */
export interface Storage {
  /** Keeps it whole or not at all. A file that is handed over may be moved away from where it was. */
  put: (key: string, content: Uint8Array | LocalFile, mime: string) => Promise<void>
  /** The whole, or a range of it. Null when there is nothing under the key. */
  read: (key: string, range?: Range) => Promise<StoredObject | null>
  /** Deleting what is not there is fine. */
  delete: (key: string) => Promise<void>
  /** Everything under a prefix, in no order, with the moment it was put there. */
  list: (prefix: string) => AsyncIterable<{ key: string; at: Date }>
  /** Whose storage this is: what its owner wrote there, or null when nobody did. */
  readOwner: () => Promise<string | null>
  writeOwner: (owner: string) => Promise<void>
}

/** The name under which the owner is written, beside the prefixes. */
export const OWNER_FILE = '.installation'

/** The storage is away, or refuses us: nothing about the content. */
export class StorageError extends Error {
  override name = 'StorageError'
  /** The code of the refusal as S3 names it; null when there was no answer. */
  readonly code: string | null

  constructor(message: string, { code = null, cause }: { code?: string | null; cause?: unknown } = {}) {
    super(message, { cause })
    this.code = code
  }
}

/** A file on this machine. */
export interface LocalFile {
  path: string
  bytes: number
}

/** From the first byte to the last, both within what is kept. */
export interface Range {
  from: number
  to: number
}

export interface StoredObject {
  stream: ReadableStream<Uint8Array>
  bytes: number
}

/** Keys are made by us, never by a caller: anything else is a mistake of ours. */
export function partsOf(key: string): [prefix: string, id: string] {
  const [, prefix, id] = /^([a-z]+)\/([\w-]+)$/.exec(key) ?? []
  if (!prefix || !id) throw new Error(`Not a key of the storage: ${key}`)
  return [prefix, id]
}

export async function readWhole(storage: Storage, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const kept = await storage.read(key)
  if (!kept) return null
  const whole = new Uint8Array(kept.bytes)
  let at = 0
  for await (const chunk of kept.stream) {
    whole.set(chunk, at)
    at += chunk.length
  }
  if (at !== kept.bytes) throw new Error(`${key} ended after ${at} of ${kept.bytes} bytes`)
  return whole
}
