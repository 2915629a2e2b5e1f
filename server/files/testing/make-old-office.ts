/** A compound file with the given streams, each long enough to have sectors of its own. */
export function makeCompoundFile(streams: Record<string, Buffer>): Buffer {
  const sectors: Buffer[] = []
  const chains: number[] = []
  const add = (content: Buffer): number => {
    const first = sectors.length
    const count = Math.max(1, Math.ceil(content.length / 512))
    for (let at = 0; at < count; at += 1) {
      const sector = Buffer.alloc(512)
      content.copy(sector, 0, at * 512, (at + 1) * 512)
      sectors.push(sector)
      chains.push(at === count - 1 ? 0xfffffffe : first + at + 1)
    }
    return first
  }
  const entries = [entry('Root Entry', 5, 0xfffffffe, 0)]
  for (const [name, content] of Object.entries(streams)) {
    const padded = Buffer.concat([content, Buffer.alloc(Math.max(0, 4096 - content.length))])
    entries.push(entry(name, 2, add(padded), padded.length))
  }
  const directory = add(Buffer.concat(entries))
  const tables = Math.ceil((chains.length + 10) / 128)
  const firstTable = sectors.length
  for (let at = 0; at < tables; at += 1) chains.push(0xfffffffd)
  const table = Buffer.alloc(tables * 512, 0xff)
  for (const [at, next] of chains.entries()) table.writeUInt32LE(next, at * 4)
  const header = Buffer.alloc(512)
  header.write('d0cf11e0a1b11ae1', 0, 'hex')
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(directory, 48)
  header.writeUInt32LE(4096, 56)
  header.writeUInt32LE(0xfffffffe, 60)
  header.writeUInt32LE(0xfffffffe, 68)
  header.fill(0xff, 76, 512)
  for (let at = 0; at < tables; at += 1) header.writeUInt32LE(firstTable + at, 76 + at * 4)
  return Buffer.concat([header, ...sectors, table])
}

function entry(name: string, type: number, first: number, size: number): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 0, 'utf16le')
  bytes.writeUInt16LE(name.length * 2 + 2, 64)
  bytes[66] = type
  bytes.writeUInt32LE(first, 116)
  bytes.writeUInt32LE(size, 120)
  return bytes
}

interface DocParts {
  /** Pieces of the text; those of Latin letters are stored with one byte for each. */
  body: string[]
  notes?: string
  /** Headers and footers. */
  margins?: string
  isLocked?: boolean
  /** Changes of runs by the words that have them, once in the text. */
  looks?: Record<string, number[]>
}

/** Ends a row of a table in a text for `makeDoc`; cells end with the usual sign. */
export const ROW_END = '\u001d'

/** A document of Word 97–2003. */
export function makeDoc({ body, notes = '', margins = '', isLocked = false, looks = {} }: DocParts): Buffer {
  const texts = [...body, notes, margins].filter(Boolean)
  const head = Buffer.alloc(0x200)
  head.writeUInt16LE(0xa5ec, 0)
  head.writeUInt16LE(193, 2)
  head.writeUInt16LE(isLocked ? 0x0100 : 0, 10)
  for (const [at, text] of [body.join(''), notes, margins].entries()) head.writeInt32LE(text.length, 0x4c + at * 4)
  const contents: Buffer[] = [head]
  const [positions, places]: [number[], number[]] = [[0], []]
  let length = head.length
  const paragraphs: ParagraphEnd[] = []
  const runs: Run[] = []
  for (const text of texts) {
    const isOneByte = /^[\0-\x7f]*$/.test(text)
    const content = Buffer.from(text.replaceAll(ROW_END, '\u0007'), isOneByte ? 'latin1' : 'utf16le')
    for (const { 0: sign, index } of text.matchAll(new RegExp(`[\r\u0007${ROW_END}]`, 'g')))
      paragraphs.push({
        end: length + (index + 1) * (isOneByte ? 1 : 2),
        isCell: sign !== '\r',
        isRowEnd: sign === ROW_END,
      })
    for (const [words, changes] of Object.entries(looks)) {
      const at = text.indexOf(words)
      const width = isOneByte ? 1 : 2
      if (at >= 0) runs.push({ start: length + at * width, end: length + (at + words.length) * width, changes })
    }
    positions.push((positions.at(-1) ?? 0) + text.length)
    places.push(isOneByte ? length * 2 + 0x40000000 : length)
    contents.push(content)
    length += content.length
  }
  const table = Buffer.alloc(5 + positions.length * 4 + places.length * 8)
  table[0] = 2
  table.writeUInt32LE(table.length - 5, 1)
  for (const [at, position] of positions.entries()) table.writeUInt32LE(position, 5 + at * 4)
  for (const [at, place] of places.entries()) table.writeUInt32LE(place, 5 + positions.length * 4 + at * 8 + 2)
  head.writeUInt32LE(0, 0x1a2)
  head.writeUInt32LE(table.length, 0x1a6)
  const { pages, index } = paragraphPages(paragraphs, Math.ceil(length / 512))
  head.writeUInt32LE(table.length, 0x102)
  head.writeUInt32LE(index.length, 0x106)
  const runPage = makeRunPage(runs.sort((a, b) => a.start - b.start))
  const runIndex = numbers(4, 0, length, Math.ceil(length / 512) + pages.length)
  head.writeUInt32LE(table.length + index.length, 0xfa)
  head.writeUInt32LE(runIndex.length, 0xfe)
  const padding = Buffer.alloc((512 - (length % 512)) % 512)
  return makeCompoundFile({
    WordDocument: Buffer.concat([...contents, padding, ...pages, runPage]),
    '0Table': Buffer.concat([table, index, runIndex]),
  })
}

interface Run {
  start: number
  end: number
  changes: number[]
}

/** The page of 512 bytes with the properties of runs; what is between them has none. */
function makeRunPage(runs: readonly Run[]): Buffer {
  const page = Buffer.alloc(512)
  const spans = runs.flatMap(({ start, end, changes }, n) => [
    { start: runs[n - 1]?.end ?? 0, changes: [] as number[] },
    { start, changes },
    ...(n === runs.length - 1 ? [{ start: end, changes: [] as number[] }] : []),
  ])
  let at = 510
  for (const [n, { start, changes }] of spans.entries()) {
    page.writeUInt32LE(start, n * 4)
    if (changes.length === 0) continue
    at -= changes.length + 1 + ((changes.length + 1) % 2)
    page.set([changes.length, ...changes], at)
    page[(spans.length + 1) * 4 + n] = at / 2
  }
  page.writeUInt32LE(0x7fffffff, spans.length * 4)
  page[511] = spans.length
  return page
}

interface ParagraphEnd {
  end: number
  isCell: boolean
  isRowEnd: boolean
}

const PARAGRAPHS_IN_PAGE = 25

/** The properties of paragraphs in pages of 512 bytes, and the table that names the pages. */
function paragraphPages(paragraphs: readonly ParagraphEnd[], firstPage: number): { pages: Buffer[]; index: Buffer } {
  const pages: Buffer[] = []
  const starts: number[] = [0]
  for (let from = 0; from < paragraphs.length; from += PARAGRAPHS_IN_PAGE) {
    const ends = paragraphs.slice(from, from + PARAGRAPHS_IN_PAGE)
    const page = Buffer.alloc(512)
    page.writeUInt32LE(starts.at(-1) ?? 0, 0)
    // No changes, those of a cell and those of the end of a row; a style stands before them.
    page.set([1, 0, 0], 480)
    page.set([3, 0, 0, 0x16, 0x24, 1], 484)
    page.set([5, 0, 0, 0x16, 0x24, 1, 0x17, 0x24, 1], 492)
    for (const [at, { end, isCell, isRowEnd }] of ends.entries()) {
      page.writeUInt32LE(end, (at + 1) * 4)
      page[(ends.length + 1) * 4 + at * 13] = (isRowEnd ? 492 : isCell ? 484 : 480) / 2
    }
    page[511] = ends.length
    starts.push(ends.at(-1)?.end ?? 0)
    pages.push(page)
  }
  return { pages, index: Buffer.concat([numbers(4, ...starts), numbers(4, ...pages.map((_, n) => firstPage + n))]) }
}

type XlsCell = string | number | { date: number } | { formula: string }

/** A workbook of Excel 97–2003; its texts go on in a second record in the middle of one of them. */
export function makeXls(sheets: Record<string, XlsCell[][]>): Buffer {
  const texts = [
    ...new Set(
      Object.values(sheets)
        .flat(2)
        .filter((cell) => typeof cell === 'string'),
    ),
  ]
  const strings = Buffer.concat([
    numbers(4, texts.length, texts.length),
    ...texts.map((text) => Buffer.concat([longText(text)])),
  ])
  const bodies = Object.values(sheets).map((rows) => sheetRecords(rows, texts))
  const names = Object.keys(sheets)
  const globals = (places: number[]) =>
    Buffer.concat([
      record(0x809, numbers(2, 0x600, 5, 0, 0)),
      record(0xe0, Buffer.alloc(20)),
      record(0xe0, Buffer.concat([numbers(2, 0, 14), Buffer.alloc(16)])),
      ...names.map((name, at) =>
        record(
          0x85,
          Buffer.concat([
            numbers(4, places[at] ?? 0),
            Buffer.from([0, 0, name.length, 1]),
            Buffer.from(name, 'utf16le'),
          ]),
        ),
      ),
      ...stringRecords(strings),
      record(0x0a, Buffer.alloc(0)),
    ])
  let at = globals(names.map(() => 0)).length
  const places = bodies.map((body) => {
    const place = at
    at += body.length
    return place
  })
  return makeCompoundFile({ Workbook: Buffer.concat([globals(places), ...bodies]) })
}

/** The second record begins with the flag of the encoding, inside of the first text. */
function stringRecords(strings: Buffer): Buffer[] {
  const cut = 8 + 3 + 4
  if (strings.length <= cut + 2) return [record(0xfc, strings)]
  return [
    record(0xfc, strings.subarray(0, cut)),
    record(0x3c, Buffer.concat([Buffer.from([1]), strings.subarray(cut)])),
  ]
}

const longText = (text: string) =>
  Buffer.concat([numbers(2, text.length), Buffer.from([1]), Buffer.from(text, 'utf16le')])

function sheetRecords(rows: XlsCell[][], texts: string[]): Buffer {
  const cells = rows.flatMap((row, at) => row.flatMap((cell, column) => cellRecords(cell, at, column, texts)))
  return Buffer.concat([record(0x809, numbers(2, 0x600, 0x10, 0, 0)), ...cells, record(0x0a, Buffer.alloc(0))])
}

function cellRecords(cell: XlsCell, row: number, column: number, texts: string[]): Buffer[] {
  const place = (style = 0) => numbers(2, row, column, style)
  if (typeof cell === 'string')
    return cell === '' ? [] : [record(0xfd, Buffer.concat([place(), numbers(4, texts.indexOf(cell))]))]
  if (typeof cell === 'number') {
    const isPacked = Number.isInteger(cell)
    return [
      isPacked
        ? record(0x27e, Buffer.concat([place(), numbers(4, (cell << 2) | 2)]))
        : record(0x203, Buffer.concat([place(), double(cell)])),
    ]
  }
  if ('date' in cell) return [record(0x203, Buffer.concat([place(1), double(cell.date)]))]
  const result = Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff])
  return [record(0x06, Buffer.concat([place(), result, Buffer.alloc(8)])), record(0x207, longText(cell.formula))]
}

const record = (id: number, data: Buffer) => Buffer.concat([numbers(2, id, data.length), data])

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

function numbers(width: 2 | 4, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * width)
  for (const [at, value] of values.entries()) bytes.writeUIntLE(value >>> 0, at * width, width)
  return bytes
}
