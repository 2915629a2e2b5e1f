import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { newId } from '#server/lib/ids.ts'
import { diskStorage, incomingIn } from '#server/storage/disk.ts'
import { s3Storage } from '#server/storage/s3.ts'
import type { S3Settings } from '#server/storage/s3-settings.ts'
import type { Storage } from '#server/storage/storage.ts'

/** Where archives are kept: a folder or a bucket. Every object is written whole, with its hash known. */
export interface Place {
  storage: Storage
  /** For files on their way, on the disk of the place where it has one. */
  incoming: string
}

/** The hash of the stored bytes, as `sha256sum` prints it. */
export interface Written {
  bytes: number
  sha256: string
}

const BINARY = 'application/octet-stream'

export async function openPlace(where: { folder: string } | { s3: S3Settings }): Promise<Place> {
  if ('folder' in where) return { storage: await diskStorage(where.folder), incoming: incomingIn(where.folder) }
  const incoming = join(tmpdir(), `symbol-archive-${newId()}`)
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  return { storage: s3Storage(where.s3), incoming }
}

/** Stores what `from` gives; nothing remains of a failed attempt. */
export async function store(place: Place, key: string, from: Readable): Promise<Written> {
  const path = join(place.incoming, newId())
  const measured = measure()
  try {
    await pipeline(from, measured.stream, createWriteStream(path, { mode: 0o600 }))
    const written = measured.result()
    await place.storage.put(key, { path, bytes: written.bytes }, BINARY)
    return written
  } finally {
    await rm(path, { force: true })
  }
}

export const storeText = (place: Place, key: string, text: string) =>
  store(place, key, Readable.from([Buffer.from(text)]))

/** Stores lines, compressed. */
export function storeLines(place: Place, key: string, lines: AsyncIterable<string[]>): Promise<Written> {
  const zipped = createGzip()
  pipeline(Readable.from(chunksOf(lines)), zipped).catch((error: Error) => zipped.destroy(error))
  return store(place, key, zipped)
}

async function* chunksOf(batches: AsyncIterable<string[]>): AsyncGenerator<Buffer> {
  for await (const lines of batches) if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
}

/** The stored bytes; reading fails at the end if they are not those that were written. */
export async function open(storage: Storage, key: string, expected?: Written): Promise<Readable> {
  const stored = await storage.read(key)
  if (!stored) throw new Error(`В архиве нет ${key}.`)
  const bytes = Readable.fromWeb(stored.stream)
  return expected ? bytes.compose(checking(key, expected)) : bytes
}

export async function readText(storage: Storage, key: string): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of await open(storage, key)) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

const BATCH_LINES = 500

export async function* readStoredLines(storage: Storage, key: string, expected: Written): AsyncGenerator<string[]> {
  const source = await open(storage, key, expected)
  const text = createGunzip()
  const piped = pipeline(source, text).catch((error: Error) => void text.destroy(error))
  const decoder = new TextDecoder()
  let [rest, lines]: [string, string[]] = ['', []]
  for await (const chunk of text) {
    const parts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      if (lines.push(line) < BATCH_LINES) continue
      yield lines
      lines = []
    }
  }
  await piped
  if (lines.length > 0) yield lines
}

/** Copies an object between storages, checking it against its hash if that is known. Null when it does not exist. */
export async function copyObject(from: Storage, to: Place, key: string, expected?: Written): Promise<Written | null> {
  const stored = await from.read(key)
  if (!stored) return null
  const bytes = Readable.fromWeb(stored.stream)
  return store(to, key, expected ? bytes.compose(checking(key, expected)) : bytes)
}

/** The hash of a stored object; null when it does not exist. */
export async function hashObject(storage: Storage, key: string): Promise<Written | null> {
  const stored = await storage.read(key)
  if (!stored) return null
  const measured = measure()
  measured.stream.resume()
  await pipeline(Readable.fromWeb(stored.stream), measured.stream)
  return measured.result()
}

function measure() {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, result: (): Written => ({ bytes, sha256: hash.digest('hex') }) }
}

function checking(key: string, expected: Written): Transform {
  const hash = createHash('sha256')
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
    flush: (done) =>
      done(hash.digest('hex') === expected.sha256 ? null : new Error(`${key} в архиве повреждён: хеш не сходится.`)),
  })
}
