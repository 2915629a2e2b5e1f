import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { BOMB, LOCKED, NESTED, Unreadable } from './unreadable.ts'

export const MAX_ENTRIES = 2000
const MAX_INFLATED = 100 * 1024 * 1024
const MAX_RATIO = 100
/** Smaller parts are harmless at any ratio, and short repetitive texts have a high one. */
const HARMLESS = 1024 * 1024

/**
 * Unpacks the parts of an office document that contain text. The sizes in the directory are checked first; the real
 * bytes are counted while unpacking, because the directory may be forged.
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

/** Charts bring a workbook in `embeddings`, which is never opened, so it does not count as a nested archive. */
function isNested(name: string): boolean {
  return /\.(zip|rar|7z|jar|gz|tgz|tar|docx|xlsx|pptx|docm|xlsm)$/i.test(name) && !/^(word|xl)\/embeddings\//.test(name)
}
