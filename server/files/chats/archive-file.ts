import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { BOMB, Unreadable } from '../rejections.ts'

export const MAX_ENTRIES = 100_000
/** Of all JSON together, unpacked. */
const MAX_TEXT_BYTES = 8 * 1024 ** 3
const MAX_RATIO = 100
/** Smaller entries are harmless at any ratio. */
const MIN_SUSPICIOUS_BYTES = 10 * 1024 ** 2

const TOO_MANY = 'В архиве больше 100 000 файлов. Такие не читаются.'
const NOT_ZIP = 'Архив повреждён: его оглавление не читается. Скачайте его ещё раз.'
const NEITHER = 'Это не архив ZIP и не JSON. Выберите файл, который прислал сервис.'

/** Entries that were left aside as a whole. */
export interface ArchiveNotes {
  nested: string[]
  locked: string[]
}

export interface ArchiveFile {
  /** Numbers of the entries that may be JSON, in their order. */
  texts: number[]
  /** What it will unpack; null for a number that does not exist. */
  bytesOf: (entry: number) => number
  read: (entry: number) => AsyncIterable<Uint8Array>
  /** Empty for a file that is no archive. */
  nameOf: (entry: number) => string
  /** Names without folders, only to find pictures by. */
  names: () => Iterable<[entry: number, name: string]>
  notes: ArchiveNotes
  close: () => void
}

export async function openArchiveFile(path: string): Promise<ArchiveFile> {
  const file = await open(path)
  const head = await file.read(Buffer.alloc(64), 0, 64, 0).finally(() => file.close())
  const begin = head.buffer.subarray(0, head.bytesRead)
  if (begin.toString('latin1', 0, 2) === 'PK') return openZip(path)
  const first = begin
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()[0]
  if (first !== '{' && first !== '[') throw new Unreadable(NEITHER)
  return openText(path)
}

async function openText(path: string): Promise<ArchiveFile> {
  const { size } = await stat(path)
  return {
    texts: [0],
    bytesOf: () => size,
    read: () => createReadStream(path),
    nameOf: () => '',
    names: () => [],
    notes: { nested: [], locked: [] },
    close: () => {},
  }
}

/** Names in the archive are never used as paths, so they are not decoded by the library, which rejects odd ones. */
async function openZip(path: string): Promise<ArchiveFile> {
  const zip = await openPromise(path, {
    lazyEntries: true,
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: false,
  }).catch(() => {
    throw new Unreadable(NOT_ZIP)
  })
  const entries: Entry[] = []
  const names: string[] = []
  const notes: ArchiveNotes = { nested: [], locked: [] }
  const texts: number[] = []
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new Unreadable(TOO_MANY)
    for await (const entry of entriesOf(zip)) {
      const name = Buffer.from(entry.fileName as unknown as Uint8Array).toString('utf8')
      const base = name.split(/[/\\]/).at(-1) ?? ''
      if (base === '' || base.startsWith('._') || /(^|[/\\])__MACOSX[/\\]/.test(name)) continue
      if (/\.zip$/i.test(base)) notes.nested.push(base)
      else if (entry.isEncrypted()) notes.locked.push(base)
      else {
        if (/\.json$/i.test(base)) texts.push(entries.length)
        entries.push(slim(entry))
        names.push(base)
      }
    }
  } catch (error) {
    zip.close()
    throw error instanceof Unreadable ? error : new Unreadable(NOT_ZIP)
  }
  const declared = texts.reduce((sum, at) => sum + (entries[at]?.uncompressedSize ?? 0), 0)
  const isBomb = texts.some((at) => entries[at] !== undefined && isSuspicious(entries[at]))
  if (declared > MAX_TEXT_BYTES || isBomb) {
    zip.close()
    throw new Unreadable(BOMB)
  }
  return {
    texts,
    bytesOf: (entry) => entries[entry]?.uncompressedSize ?? 0,
    read: (entry) => unpack(zip, entries[entry]),
    nameOf: (entry) => names[entry] ?? '',
    names: () => names.entries(),
    notes,
    close: () => zip.close(),
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  const queue: (Entry | Error | null)[] = []
  let wake = () => {}
  const put = (item: Entry | Error | null) => {
    queue.push(item)
    wake()
  }
  zip.on('entry', put)
  zip.once('end', () => put(null))
  zip.once('error', put)
  for (let count = 0; ; count += 1) {
    zip.readEntry()
    while (queue.length === 0) await new Promise<void>((done) => (wake = done))
    const item = queue.shift()
    if (item instanceof Error) throw item
    if (!item) return
    // The number in the directory's end may be forged.
    if (count >= MAX_ENTRIES) throw new Unreadable(TOO_MANY)
    yield item
  }
}

/** A hundred thousand entries are in memory, so what is not needed to unpack one is dropped. */
function slim(entry: Entry): Entry {
  for (const name of [
    'fileName',
    'fileNameRaw',
    'extraFieldRaw',
    'extraFields',
    'fileComment',
    'fileCommentRaw',
    'comment',
  ])
    Reflect.deleteProperty(entry, name)
  return entry
}

const isSuspicious = ({ compressedSize, uncompressedSize }: Entry) =>
  uncompressedSize > MIN_SUSPICIOUS_BYTES && uncompressedSize > compressedSize * MAX_RATIO

/** Counts the real bytes, because the directory may be forged. */
async function* unpack(zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) return
  let left = entry.uncompressedSize
  const stream = await zip.openReadStreamPromise(entry)
  try {
    for await (const chunk of stream) {
      left -= chunk.length
      if (left < 0) throw new Unreadable(BOMB)
      yield chunk
    }
  } finally {
    stream.destroy()
  }
}

/** Writes an entry into a new file; false when it is too large or broken. */
export async function extractEntry(file: ArchiveFile, entry: number, path: string, maxBytes: number): Promise<boolean> {
  if (file.bytesOf(entry) > maxBytes) return false
  try {
    await pipeline(Readable.from(file.read(entry)), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return true
  } catch {
    await rm(path, { force: true })
    return false
  }
}
