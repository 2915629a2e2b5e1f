import type { ListItem } from '../blocks.ts'
import { type Counts, type Level, type ListUse, type NumberFormat, nextLabel } from '../numbering.ts'
import type { DocStyle } from './styles.ts'

const [LIST_BYTES, LEVEL_BYTES, USE_BYTES, DEPTHS] = [28, 28, 16, 9]
/** More than these are not counted by any writer of papers. */
const MAX_LISTS = 4096
const NO_STYLE = 0xfff

const formats: Record<number, NumberFormat> = {
  ...{ 0: 'decimal', 1: 'upperRoman', 2: 'lowerRoman', 3: 'upperLetter', 4: 'lowerLetter', 22: 'decimalZero' },
  ...{ 23: 'bullet', 58: 'russianLower', 59: 'russianUpper', 255: 'none' },
}

interface List {
  levels: Level[]
  counts: Counts
  /** The style of each level. */
  styles: number[]
}

export interface DocNumbering {
  list: number | undefined
  depth: number | undefined
  style: DocStyle
}

/**
 * Counts the paragraphs of a document in their order. `lists` is the table of lists with what follows it, because their
 * levels stand behind the table.
 */
export function createDocLabels(lists: Buffer, listBytes: number, uses: Buffer) {
  const byId = readLists(lists, listBytes)
  const known = readUses(uses, byId)
  return ({ list, depth, style }: DocNumbering): ListItem | null => {
    const number = list ?? style.list ?? 0
    const use = known[number - 1]
    if (!use) return null
    const isOfStyle = list === undefined && depth === undefined
    const linked = isOfStyle ? linkedLevel(use.styles, style.chain) : -1
    const at = Math.min(linked >= 0 ? linked : (depth ?? style.depth ?? 0), DEPTHS - 1)
    if (!use.levels[at]) return null
    return { label: nextLabel(use, at), depth: at, list: use.counts }
  }
}

function linkedLevel(styles: readonly number[], chain: readonly number[]): number {
  for (const style of chain) {
    const at = styles.indexOf(style)
    if (at >= 0) return at
  }
  return -1
}

function readLists(bytes: Buffer, listBytes: number): Map<number, List> {
  const lists = new Map<number, List>()
  if (listBytes < 2 || bytes.length < 2) return lists
  const count = Math.min(bytes.readInt16LE(0), MAX_LISTS)
  let at = listBytes
  for (let n = 0; n < count && 2 + (n + 1) * LIST_BYTES <= bytes.length; n += 1) {
    const head = bytes.subarray(2 + n * LIST_BYTES, 2 + (n + 1) * LIST_BYTES)
    const styles = Array.from({ length: DEPTHS }, (_, depth) => head.readUInt16LE(8 + depth * 2))
    const isSimple = ((head[26] ?? 0) & 1) === 1
    const levels: Level[] = []
    for (let depth = 0; depth < (isSimple ? 1 : DEPTHS); depth += 1) {
      const read = levelAt(bytes, at)
      if (!read) return lists
      levels.push(read.level)
      at = read.end
    }
    lists.set(head.readInt32LE(0), { levels, counts: [], styles: styles.map((id) => (id === NO_STYLE ? -1 : id)) })
  }
  return lists
}

function levelAt(bytes: Buffer, at: number): { level: Level; end: number } | null {
  if (at + LEVEL_BYTES + 2 > bytes.length) return null
  const flags = bytes[at + 5] ?? 0
  const textAt = at + LEVEL_BYTES + (bytes[at + 24] ?? 0) + (bytes[at + 25] ?? 0)
  if (textAt + 2 > bytes.length) return null
  const end = textAt + 2 + bytes.readUInt16LE(textAt) * 2
  if (end > bytes.length) return null
  const text = bytes.toString('utf16le', textAt + 2, end)
  const level = {
    start: Math.max(0, bytes.readInt32LE(at)),
    format: formats[bytes[at + 4] ?? 0] ?? 'decimal',
    // The numbers of the levels stand in the text as characters 0 to 8.
    text: [...text].map((sign) => (sign < '\u0009' ? `%${sign.charCodeAt(0) + 1}` : sign)).join(''),
    restartsAfter: flags & 0x08 ? (bytes[at + 26] ?? 0) : null,
    isLegal: (flags & 0x04) !== 0,
  }
  return { level, end }
}

function readUses(bytes: Buffer, lists: Map<number, List>): ((ListUse & { styles: number[] }) | null)[] {
  if (bytes.length < 4) return []
  const count = Math.min(bytes.readUInt32LE(0), MAX_LISTS, Math.floor((bytes.length - 4) / USE_BYTES))
  const uses: ((ListUse & { styles: number[] }) | null)[] = []
  let at = 4 + count * USE_BYTES
  for (let n = 0; n < count; n += 1) {
    const head = 4 + n * USE_BYTES
    const list = lists.get(bytes.readInt32LE(head))
    const levels = list ? [...list.levels] : []
    const restarts = new Map<number, number>()
    at += 4
    for (let change = 0; change < (bytes[head + 12] ?? 0) && at + 8 <= bytes.length; change += 1) {
      const [start, flags] = [bytes.readInt32LE(at), bytes.readUInt32LE(at + 4)]
      const depth = flags & 0xf
      at += 8
      const read = flags & 0x20 ? levelAt(bytes, at) : null
      if (read) {
        levels[depth] = read.level
        at = read.end
      }
      const old = levels[depth]
      if (flags & 0x10 && old) {
        const from = Math.max(0, read ? read.level.start : start)
        levels[depth] = { ...old, start: from }
        restarts.set(depth, from)
      }
    }
    uses.push(list ? { levels, counts: list.counts, restarts, styles: list.styles } : null)
  }
  return uses
}
