/** The subset of Markdown that help pages are written in, read into blocks. What it does not know it refuses. */

export type Block =
  | { type: 'heading'; level: number; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'list'; ordered: boolean; start: number; items: string[] }
  | { type: 'table'; head: string[]; rows: string[][] }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'code'; text: string }
  | { type: 'rule' }

interface Reading {
  lines: string[]
  at: number
}

type Reader = [sign: RegExp, read: (reading: Reading) => Block]

const ITEM = /^(?:-|(\d+)\.) +(\S.*)$/
const FENCE = /^```\w*$/

const readers: Reader[] = [
  [/^#/, readHeading],
  [FENCE, readCode],
  [/^---$/, readRule],
  [/^>/, readQuote],
  [/^\|/, readTable],
  [ITEM, readList],
]

/** Beginnings that mean something in other Markdown: bullets of another kind, indented code, other headings, HTML. */
const foreign = /^(?:\s|[*+] |```|~~~|=+$|-+$|\*{3,}$|_{3,}$|<|:::|\[[^\]]+\]:|- \[[ x]\] )/

export function readBlocks(source: string): Block[] {
  const reading = { lines: source.replaceAll('\r\n', '\n').split('\n'), at: 0 }
  const blocks: Block[] = []
  while (reading.at < reading.lines.length) {
    if (line(reading).trim() === '') reading.at += 1
    else blocks.push(readBlock(reading))
  }
  return blocks
}

function readBlock(reading: Reading): Block {
  const text = line(reading)
  const known = readers.find(([sign]) => sign.test(text))
  if (foreign.test(text) && !FENCE.test(text) && text !== '---') throw new Error(`no such block: ${text}`)
  return known ? known[1](reading) : readParagraph(reading)
}

/** The title of the page is its only heading of the first level. */
function readHeading(reading: Reading): Block {
  const text = take(reading)
  const [, signs = '', title = ''] = /^(#{2,3}) +(\S.*)$/.exec(text) ?? []
  if (title === '') throw new Error(`a heading is ## or ### and a text: ${text}`)
  return { type: 'heading', level: signs.length, text: title }
}

function readCode(reading: Reading): Block {
  take(reading)
  const lines: string[] = []
  while (reading.at < reading.lines.length && line(reading) !== '```') lines.push(take(reading))
  if (reading.at === reading.lines.length) throw new Error(`code without an end: ${lines[0]}`)
  take(reading)
  return { type: 'code', text: lines.join('\n') }
}

function readRule(reading: Reading): Block {
  take(reading)
  return { type: 'rule' }
}

function readQuote(reading: Reading): Block {
  const lines = takeWhile(reading, (text) => text.startsWith('>'))
  return { type: 'quote', blocks: readBlocks(lines.map((text) => text.replace(/^> ?/, '')).join('\n')) }
}

function readTable(reading: Reading): Block {
  const lines = takeWhile(reading, (text) => text.startsWith('|'))
  const [head = [], rule = [], ...rows] = lines.map(cells)
  if (rule.length === 0 || !rule.every((cell) => /^-{3,}$/.test(cell))) {
    throw new Error(`a table needs | --- | under its head: ${lines[0]}`)
  }
  if ([rule, ...rows].some((row) => row.length !== head.length)) throw new Error(`rows differ in length: ${lines[0]}`)
  return { type: 'table', head, rows }
}

function cells(text: string): string[] {
  if (!/^\|.*\|$/.test(text.trim())) throw new Error(`a row begins and ends with |: ${text}`)
  return text
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}

/** An item is one paragraph; its further lines are indented. A list inside a list is refused. */
function readList(reading: Reading): Block {
  const first = ITEM.exec(line(reading))
  const number = first?.[1]
  const items: string[] = []
  for (const text of takeWhile(reading, (next) => next.trim() !== '')) {
    const item = ITEM.exec(text)
    if (item && (item[1] === undefined) === (number === undefined)) items.push(item[2] ?? '')
    else if (/^ {2,}(?!-|\d+\. |\*)\S/.test(text)) items.push(`${items.pop()} ${text.trim()}`)
    else throw new Error(`no such line in a list: ${text}`)
  }
  return { type: 'list', ordered: number !== undefined, start: Number(number ?? 1), items }
}

function readParagraph(reading: Reading): Block {
  const lines = takeWhile(reading, (text) => text.trim() !== '')
  for (const text of lines) {
    if (foreign.test(text) || readers.some(([sign]) => sign.test(text))) {
      throw new Error(`an empty line is needed before: ${text}`)
    }
    if (/ {2}$/.test(text)) throw new Error(`a line break by spaces is not seen: ${text}`)
  }
  return { type: 'paragraph', text: lines.join(' ') }
}

function line({ lines, at }: Reading): string {
  return lines[at] ?? ''
}

function take(reading: Reading): string {
  const text = line(reading)
  reading.at += 1
  return text
}

function takeWhile(reading: Reading, fits: (text: string) => boolean): string[] {
  const taken: string[] = []
  while (reading.at < reading.lines.length && fits(line(reading))) taken.push(take(reading))
  return taken
}
