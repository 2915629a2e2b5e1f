import iconv from 'iconv-lite'
import { BROKEN, Unreadable } from '../rejections.ts'
import { MAX_SYMBOLS } from '../text.ts'

const CLX = 0x1a2

/** A part of the text that is stored in one place of the file. */
export interface Piece {
  /** The place in the text and in the file of its first character, and how many bytes a character has. */
  at: number
  place: number
  width: 1 | 2
  text: string
  /** Properties of all its runs and paragraphs, from a file that was saved quickly. */
  changes: Buffer | null
}

/** The text is stored in pieces, each in one byte or two bytes for a character; a table names them in order. */
export function readPieces(main: Buffer, table: Buffer): Piece[] {
  const [start, length] = [main.readUInt32LE(CLX), main.readUInt32LE(CLX + 4)]
  const complex = table.subarray(start, start + length)
  const changes: Buffer[] = []
  let at = 0
  // Properties of runs (1) come before the table of pieces (2).
  while (complex[at] === 1 && at + 3 <= complex.length) {
    const size = complex.readUInt16LE(at + 1)
    changes.push(complex.subarray(at + 3, at + 3 + size))
    at += 3 + size
  }
  if (complex[at] !== 2 || at + 5 > complex.length) throw new Unreadable(BROKEN)
  const pieces = complex.subarray(at + 5, at + 5 + complex.readUInt32LE(at + 1))
  const count = Math.floor((pieces.length - 4) / 12)
  const found: Piece[] = []
  let symbols = 0
  for (let piece = 0; piece < count && symbols <= MAX_SYMBOLS; piece += 1) {
    const size = pieces.readUInt32LE(piece * 4 + 4) - pieces.readUInt32LE(piece * 4)
    const entry = (count + 1) * 4 + piece * 8
    const [place, property] = [pieces.readUInt32LE(entry + 2), pieces.readUInt16LE(entry + 6)]
    const isOneByte = (place & 0x40000000) !== 0
    const from = isOneByte ? (place & 0x3fffffff) >> 1 : place
    if (size < 0 || from > main.length) throw new Unreadable(BROKEN)
    const width = isOneByte ? 1 : 2
    const raw = main.subarray(from, from + size * width)
    const text = isOneByte ? iconv.decode(raw, 'windows-1252') : raw.toString('utf16le')
    found.push({
      at: symbols,
      place: from,
      width,
      text,
      changes: property & 1 ? (changes[property >> 1] ?? null) : null,
    })
    symbols += text.length
  }
  return found
}
