import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { BOMB, LOCKED, NESTED, Unreadable } from './unreadable.ts'

export const MAX_ENTRIES = 2000
const MAX_INFLATED = 100 * 1024 * 1024
const MAX_RATIO = 100
/** Below this no ratio is a danger, and short texts that repeat themselves have high ones. */
const HARMLESS = 1024 * 1024

/**
 * The parts of an office document that hold text, unpacked under guard. First what the directory declares is judged,
 * then the bytes that really come out are counted, because directories lie.
 */
export async function unzipDocument(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const zip = await fromBufferPromise(buffer, { validateEntrySizes: false })
  const entries = await declared(zip, bytes.length)
  const parts = new Map<string, Buffer>()
  let inflated = 0
  for (const entry of entries.filter(({ fileName }) => /\.(xml|rels)$/i.test(fileName))) {
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

async function declared(zip: ZipFile, packed: number): Promise<Entry[]> {
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
  inflated > MAX_INFLATED || (inflated > HARMLESS && inflated > packed * MAX_RATIO)

/** A chart keeps its table in a workbook of its own, in `embeddings`; those are never opened. */
function isNested(name: string): boolean {
  return /\.(zip|rar|7z|jar|gz|tgz|tar|docx|xlsx|pptx|docm|xlsm)$/i.test(name) && !/^(word|xl)\/embeddings\//.test(name)
}
