import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { newId } from '#server/lib/ids.ts'
import { diskStorage, incomingIn } from '#server/storage/disk.ts'
import { s3Storage } from '#server/storage/s3.ts'
import type { S3Settings } from '#server/storage/s3-settings.ts'
import type { Storage } from '#server/storage/storage.ts'
import { temporaryFolder } from './temporary.ts'

/** Where archives are kept: a folder or a bucket. Every object is written whole, with its hash known. */
export interface Destination {
  storage: Storage
  /** The folder for incomplete files, on the same disk as the destination if it is a folder. */
  incoming: string
}

/** The hash of the stored bytes, as `sha256sum` prints it. */
export interface WrittenBytes {
  bytes: number
  sha256: string
}

const BINARY = 'application/octet-stream'

export type DestinationAddress = { folder: string } | { s3: S3Settings }
export type OpenDestination = Destination & { close: () => Promise<void> }

/** Creates the folder unless `mustExist` is set. */
export async function openDestination(where: DestinationAddress, { mustExist = false } = {}): Promise<OpenDestination> {
  if ('s3' in where) {
    const { path, remove } = await temporaryFolder()
    return { storage: s3Storage(where.s3), incoming: path, close: remove }
  }
  const { folder } = where
  if (mustExist && !(await stat(folder).catch(() => null))) throw new Error(`Папки ${folder} нет. Проверьте путь.`)
  return { storage: await diskStorage(folder), incoming: incomingIn(folder), close: async () => {} }
}

/** A failed attempt leaves nothing. */
export async function store(destination: Destination, key: string, from: Readable): Promise<WrittenBytes> {
  const path = join(destination.incoming, newId())
  const measured = measure()
  try {
    await pipeline(from, measured.stream, createWriteStream(path, { mode: 0o600, flush: true }))
    const written = measured.result()
    await destination.storage.put(key, { path, bytes: written.bytes }, BINARY)
    return written
  } finally {
    await rm(path, { force: true })
  }
}

export const storeText = (destination: Destination, key: string, text: string) =>
  store(destination, key, Readable.from([Buffer.from(text)]))

/** Stores lines, compressed. */
export function storeLines(
  destination: Destination,
  key: string,
  lines: AsyncIterable<string[]>,
): Promise<WrittenBytes> {
  const zipped = createGzip()
  pipeline(Readable.from(chunksOf(lines)), zipped).catch((error: Error) => zipped.destroy(error))
  return store(destination, key, zipped)
}

async function* chunksOf(batches: AsyncIterable<string[]>): AsyncGenerator<Buffer> {
  for await (const lines of batches) if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
}

async function open(storage: Storage, key: string): Promise<Readable> {
  const stored = await storage.read(key)
  if (!stored) throw new Error(`В архиве нет ${key}.`)
  return Readable.fromWeb(stored.stream)
}

/** Checked against its hash if that is known. */
export async function readText(storage: Storage, key: string, expected?: WrittenBytes): Promise<string> {
  const chunks: Buffer[] = []
  const source = await open(storage, key)
  const checked = expected ? pipelineOf(source, hashCheck(key, expected)) : source
  for await (const chunk of checked) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const BATCH_LINES = 500
const BATCH_CHARS = 4_000_000

/** Reading fails at the end if the bytes are not those that were written. */
export async function* readStoredLines(
  storage: Storage,
  key: string,
  expected: WrittenBytes,
): AsyncGenerator<string[]> {
  const text = pipelineOf(await open(storage, key), hashCheck(key, expected), createGunzip())
  const decoder = new TextDecoder()
  let [lines, chars]: [string[], number] = [[], 0]
  /** The chunks of an incomplete line, joined once when the line ends. */
  let begun: string[] = []
  try {
    for await (const chunk of text) {
      const [first = '', ...more] = decoder.decode(chunk as Buffer, { stream: true }).split('\n')
      begun.push(first)
      for (const next of more) {
        const line = begun.join('')
        begun = [next]
        lines.push(line)
        chars += line.length
        if (lines.length < BATCH_LINES && chars < BATCH_CHARS) continue
        yield lines
        lines = []
        chars = 0
      }
    }
  } catch (error) {
    throw String((error as NodeJS.ErrnoException).code).startsWith('Z_') ? damagedError(key, error) : error
  }
  if (lines.length > 0) yield lines
}

/** Returns the last stream; an error in any of them destroys it. */
function pipelineOf(source: Readable, ...steps: Transform[]): Readable {
  const last = steps.at(-1) ?? source
  pipeline([source, ...steps]).catch((error: Error) => void last.destroy(error))
  return last
}

/** Copies an object between storages, checking it against its hash if that is known. Null when it does not exist. */
export async function copyObject(
  from: Storage,
  to: Destination,
  key: string,
  expected?: WrittenBytes,
): Promise<WrittenBytes | null> {
  const stored = await from.read(key)
  if (!stored) return null
  const source = Readable.fromWeb(stored.stream)
  try {
    return await store(to, key, pipelineOf(source, expected ? hashCheck(key, expected) : sizeCheck(key, stored)))
  } catch (error) {
    // The owner deleted the file during the copy.
    if (!expected && (error as NodeJS.ErrnoException).code === 'ENOENT' && !(await from.read(key))) return null
    throw error
  }
}

export async function hashObject(storage: Storage, key: string): Promise<WrittenBytes | null> {
  const stored = await storage.read(key)
  if (!stored) return null
  const measured = measure()
  measured.stream.resume()
  await pipeline(Readable.fromWeb(stored.stream), measured.stream)
  return measured.result()
}

/** Counts and hashes the bytes that pass; `check` may reject them at the end. */
function measure(check: (written: WrittenBytes) => Error | null = () => null) {
  const hash = createHash('sha256')
  const written: WrittenBytes = { bytes: 0, sha256: '' }
  const stream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk)
      written.bytes += chunk.length
      done(null, chunk)
    },
    flush: (done) => {
      written.sha256 = hash.digest('hex')
      done(check(written))
    },
  })
  return { stream, result: () => written }
}

const hashCheck = (key: string, expected: WrittenBytes) =>
  measure(({ sha256 }) => (sha256 === expected.sha256 ? null : damagedError(key))).stream

/** Fails when the storage returns fewer bytes than announced; S3 may announce no size. */
const sizeCheck = (key: string, stored: { bytes: number }) =>
  measure(({ bytes }) =>
    stored.bytes === 0 || bytes === stored.bytes ? null : new Error(`Файл ${key} прочитан не целиком.`),
  ).stream

const damagedError = (key: string, cause?: unknown) =>
  new Error(`${key} в архиве повреждён: хеш не сходится.`, { cause })
