import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import type { ReadAt } from './image-size.ts'
import { BOMB, LOCKED, NESTED, Unreadable } from './rejections.ts'

/** A presentation of a thousand slides has four files for each. */
const MAX_ENTRIES = 5000
const MAX_DIRECTORY = 2 * 1024 * 1024
const MAX_INFLATED = 100 * 1024 * 1024
const MAX_RATIO = 100
/** Smaller parts are harmless at any ratio, and short repetitive texts have a high one. */
const MIN_SUSPICIOUS_BYTES = 1024 * 1024

/**
 * Unpacks the parts of an office document that contain text. The sizes in the directory are checked first; the real
 * bytes are counted while unpacking, because the directory may be forged.
 */
export async function unzipDocument(bytes: Uint8Array, isText = /\.(xml|rels)$/i): Promise<Map<string, Buffer>> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  repairComment(buffer)
  const zip = await fromBufferPromise(buffer, { validateEntrySizes: false })
  const entries = await checkEntries(zip, bytes.length)
  const parts = new Map<string, Buffer>()
  let inflated = 0
  for (const entry of entries.filter(({ fileName }) => isText.test(fileName))) {
    const chunks: Buffer[] = []
    let left = entry.uncompressedSize
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      inflated += chunk.length
      left -= chunk.length
      if (left < 0 || isTooMuch(inflated, bytes.length)) throw new Unreadable(BOMB)
      chunks.push(chunk)
    }
    const part = Buffer.concat(chunks)
    if (part.toString('latin1', 0, 4) === 'PK\x03\x04') throw new Unreadable(NESTED)
    parts.set(entry.fileName, part)
  }
  return parts
}

const CENTRAL = 0x02014b50
const END_BYTES = 22
const MAX_COMMENT = 0xffff

/** Where the end record of a zip begins in its last bytes; -1 if there is none. */
const endOf = (tail: Buffer) => tail.lastIndexOf('PK\x05\x06', Math.max(0, tail.length - END_BYTES), 'latin1')

/** The comment at the end may be cut off or have bytes after it; other readers open such files too. */
function repairComment(buffer: Buffer): void {
  const end = endOf(buffer)
  if (end >= 0 && buffer.length - end >= END_BYTES)
    buffer.writeUInt16LE(Math.min(buffer.length - end - END_BYTES, MAX_COMMENT), end + 20)
}

/** The names in the directory of a zip of so many bytes; nothing is unpacked. Empty if there is no directory. */
export async function zipNames(read: ReadAt, bytes: number): Promise<string[]> {
  const from = Math.max(0, bytes - END_BYTES - MAX_COMMENT)
  const tail = await read(from, bytes - from)
  const end = endOf(tail)
  if (end < 0 || tail.length - end < END_BYTES) return []
  const directory = await read(tail.readUInt32LE(end + 16), Math.min(tail.readUInt32LE(end + 12), MAX_DIRECTORY))
  const names: string[] = []
  for (
    let at = 0;
    at + 46 <= directory.length && directory.readUInt32LE(at) === CENTRAL && names.length <= MAX_ENTRIES;
  ) {
    const length = directory.readUInt16LE(at + 28)
    names.push(directory.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return names
}

async function checkEntries(zip: ZipFile, packed: number): Promise<Entry[]> {
  if (zip.entryCount > MAX_ENTRIES) throw new Unreadable(BOMB)
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new Unreadable(LOCKED)
    if (isNested(entry.fileName)) throw new Unreadable(NESTED)
    entries.push(entry)
  }
  const inflated = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (isTooMuch(inflated, packed)) throw new Unreadable(BOMB)
  return entries
}

const isTooMuch = (inflated: number, packed: number) =>
  inflated > MAX_INFLATED || (inflated > MIN_SUSPICIOUS_BYTES && inflated > packed * MAX_RATIO)

/** Charts bring a workbook in `embeddings`, which is never opened, so it does not count as a nested archive. */
function isNested(name: string): boolean {
  return (
    /\.(zip|rar|7z|jar|gz|tgz|tar|docx|xlsx|pptx|docm|xlsm)$/i.test(name) && !/^(word|xl|ppt)\/embeddings\//.test(name)
  )
}
