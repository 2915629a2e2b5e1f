/** Properties of runs and paragraphs of Word 97–2003, as lists of changes that stand in pages of 512 bytes. */

const PAGE_BYTES = 512
/** Positions of tables in the header of a document, each with its length after it. */
export const tables = {
  styles: 0xa2,
  noteMarks: 0xaa,
  noteTexts: 0xb2,
  runs: 0xfa,
  paragraphs: 0x102,
  endnoteMarks: 0x20a,
  endnoteTexts: 0x212,
  lists: 0x2e2,
  listUses: 0x2ea,
} as const

/** The bytes of a table; what the file does not have is empty. */
export function tableBytes(main: Buffer, table: Buffer, at: number): Buffer {
  if (at + 8 > main.length) return Buffer.alloc(0)
  const [start, length] = [main.readUInt32LE(at), main.readUInt32LE(at + 4)]
  return table.subarray(start, start + length)
}

/** The changes that are of interest, by their codes. */
export const codes = {
  paragraphStyle: 0x4600,
  depth: 0x260a,
  list: 0x460b,
  inTable: 0x2416,
  rowEnd: 0x2417,
  outline: 0x2640,
  deleted: 0x0800,
  hidden: 0x083c,
  struck: 0x0837,
  doubleStruck: 0x2a53,
  raised: 0x2a48,
  runStyle: 0x4a30,
  object: 0x6a03,
} as const

const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, 0, 3]
const [TABLE_DEFINITION, TABS] = [0xd608, 0xc615]

/** Calls `on` for each change with its code and its value; values of variable length are skipped. */
export function eachChange(changes: Buffer, on: (code: number, value: number) => void): void {
  for (let at = 0; at + 2 < changes.length; ) {
    const code = changes.readUInt16LE(at)
    at += 2
    const kind = code >> 13
    if (kind === 6) {
      const length = changes[at] ?? 0
      if (code === TABLE_DEFINITION) at += 1 + (at + 2 <= changes.length ? changes.readUInt16LE(at) : 0)
      else if (code === TABS && length === 255) return
      else at += 1 + length
      continue
    }
    const bytes = OPERAND_BYTES[kind] ?? 1
    if (at + bytes > changes.length) return
    on(code, changes.readUIntLE(at, bytes))
    at += bytes
  }
}

/** Properties by their place in the file, in ascending order. */
export interface Spans {
  starts: number[]
  ends: number[]
  changes: Buffer[]
}

/** Properties of runs, or of paragraphs, each of which begins with the number of its style. */
export function readSpans(main: Buffer, index: Buffer, of: 'runs' | 'paragraphs'): Spans {
  const found: [start: number, end: number, changes: Buffer][] = []
  const seen = new Set<number>()
  const count = Math.max(0, Math.floor((index.length - 4) / 8))
  for (let n = 0; n < count; n += 1) {
    const from = (index.readUInt32LE((count + 1) * 4 + n * 4) & 0x3fffff) * PAGE_BYTES
    const page = main.subarray(from, from + PAGE_BYTES)
    if (page.length < PAGE_BYTES || seen.has(from)) continue
    seen.add(from)
    const spans = page[PAGE_BYTES - 1] ?? 0
    const entryBytes = of === 'runs' ? 1 : 13
    if ((spans + 1) * 4 + spans * entryBytes > PAGE_BYTES) continue
    for (let at = 0; at < spans; at += 1) {
      const place = (page[(spans + 1) * 4 + at * entryBytes] ?? 0) * 2
      const changes = place === 0 ? Buffer.alloc(0) : changesAt(page, place, of)
      found.push([page.readUInt32LE(at * 4), page.readUInt32LE(at * 4 + 4), changes])
    }
  }
  found.sort(([a], [b]) => a - b)
  return {
    starts: found.map(([start]) => start),
    // No place has two spans, so that the work grows with the file only.
    ends: found.map(([, end], n) => Math.min(end, found[n + 1]?.[0] ?? end)),
    changes: found.map(([, , changes]) => changes),
  }
}

function changesAt(page: Buffer, place: number, of: 'runs' | 'paragraphs'): Buffer {
  const length = page[place] ?? 0
  if (of === 'runs') return page.subarray(place + 1, place + 1 + length)
  if (length > 0) return page.subarray(place + 1, place + length * 2)
  return page.subarray(place + 2, place + 2 + (page[place + 1] ?? 0) * 2)
}

/** The index of the span that has a place of the file; -1 if there is none. */
export function spanAt({ starts, ends }: Spans, place: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) > place) high = middle - 1
    else low = middle + 1
  }
  return high >= 0 && place < (ends[high] ?? 0) ? high : -1
}
