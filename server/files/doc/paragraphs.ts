import type { Raised } from '../raised.ts'
import type { Piece } from './pieces.ts'
import { codes, eachChange, readSpans, spanAt, tables } from './properties.ts'
import { addDocLook, type DocLook, type DocStyle } from './styles.ts'

export interface DocParagraph {
  style: DocStyle
  list: number | undefined
  depth: number | undefined
  /** Undefined where the style decides. */
  heading: number | null | undefined
  isInTable: boolean
  isRowEnd: boolean
}

export interface DocProperties {
  text: string
  /** False for what was deleted while changes were tracked, and for hidden text. */
  isShown: (at: number) => boolean
  isStruck: (at: number) => boolean
  raisedAt: (at: number) => Raised | null
  /** The number of the object that stands here; null if there is none. */
  objectAt: (at: number) => number | null
  /** Of the paragraph that ends at this place. */
  paragraphAt: (at: number) => DocParagraph
}

/** Properties of a piece are read for each of its paragraphs. */
const MAX_FURTHER = 512
const [DROPPED, STRUCK, SUPER, SUB] = [1, 2, 4, 8]

/** What the file says about places of the text. */
export function createProperties(
  main: Buffer,
  tableOf: (at: number) => Buffer,
  pieces: readonly Piece[],
  styleOf: (number: number) => DocStyle,
): DocProperties {
  const text = pieces.map((piece) => piece.text).join('')
  const looks = new Uint8Array(text.length)
  const runs = readSpans(main, tableOf(tables.runs), 'runs')
  const paragraphs = readSpans(main, tableOf(tables.paragraphs), 'paragraphs')
  const lookBelow = (piece: Piece, at: number): DocLook => {
    const span = spanAt(paragraphs, piece.place + (at - piece.at) * piece.width)
    const changes = paragraphs.changes[span]
    return changes && changes.length >= 2 ? styleOf(changes.readUInt16LE(0)).look : {}
  }
  for (const piece of pieces) {
    const end = piece.place + piece.text.length * piece.width
    if (piece.changes) looks.fill(lookOf(piece.changes, styleOf, {}), piece.at, piece.at + piece.text.length)
    for (let n = Math.max(0, spanAt(runs, piece.place)); n < runs.starts.length; n += 1) {
      const [from, to] = [Math.max(runs.starts[n] ?? 0, piece.place), Math.min(runs.ends[n] ?? 0, end)]
      if (from >= end) break
      const changes = runs.changes[n]
      if (to <= from || !changes) continue
      const [first, last] = [from, to].map((place) => piece.at + Math.ceil((place - piece.place) / piece.width))
      if (first === undefined) continue
      const look = lookOf(changes, styleOf, lookBelow(piece, first))
      // What the whole piece says stays.
      if (look !== 0) looks.fill((looks[first] ?? 0) | look, first, last)
    }
  }

  const pieceAt = (at: number) => {
    let [low, high] = [0, pieces.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((pieces[middle]?.at ?? 0) > at) high = middle - 1
      else low = middle
    }
    return pieces[low]
  }
  return {
    text,
    isShown: (at) => ((looks[at] ?? 0) & DROPPED) === 0,
    isStruck: (at) => ((looks[at] ?? 0) & STRUCK) !== 0,
    raisedAt: (at) => ((looks[at] ?? 0) & SUPER ? 'super' : (looks[at] ?? 0) & SUB ? 'sub' : null),
    objectAt: (at) => {
      const piece = pieceAt(at)
      const changes = piece && runs.changes[spanAt(runs, piece.place + (at - piece.at) * piece.width)]
      let object: number | null = null
      if (changes)
        eachChange(changes, (code, value) => {
          if (code === codes.object) object = value
        })
      return object
    },
    paragraphAt: (at) => {
      const piece = pieceAt(at)
      const span = piece ? spanAt(paragraphs, piece.place + (at - piece.at) * piece.width) : -1
      const changes = paragraphs.changes[span] ?? Buffer.alloc(0)
      return paragraphOf(changes, piece?.changes ?? null, styleOf)
    },
  }
}

/** `below` is the look of the style of the paragraph. */
function lookOf(changes: Buffer, styleOf: (number: number) => DocStyle, below: DocLook): number {
  let [isDeleted, style]: [boolean, number | null] = [false, null]
  eachChange(changes, (code, value) => {
    if (code === codes.deleted) isDeleted = value !== 0
    if (code === codes.runStyle) style = value
  })
  const base = style === null ? below : { ...below, ...styleOf(style).look }
  const look: DocLook = changes.length > 0 ? { ...base } : {}
  eachChange(changes, (code, value) => addDocLook(look, base, code, value))
  return (
    (isDeleted || look.hidden ? DROPPED : 0) |
    (look.struck || look.doubleStruck ? STRUCK : 0) |
    (look.raised === 'super' ? SUPER : look.raised === 'sub' ? SUB : 0)
  )
}

function paragraphOf(changes: Buffer, further: Buffer | null, styleOf: (number: number) => DocStyle): DocParagraph {
  let style = changes.length >= 2 ? changes.readUInt16LE(0) : 0
  const paragraph: DocParagraph = {
    ...{ style: styleOf(style), list: undefined, depth: undefined, heading: undefined },
    ...{ isInTable: false, isRowEnd: false },
  }
  const apply = (code: number, value: number) => {
    if (code === codes.paragraphStyle) style = value
    if (code === codes.list) paragraph.list = value
    if (code === codes.depth) paragraph.depth = value
    if (code === codes.outline) paragraph.heading = value < 9 ? value + 1 : null
    if (code === codes.inTable) paragraph.isInTable = value !== 0
    if (code === codes.rowEnd) paragraph.isRowEnd = value !== 0
  }
  eachChange(changes.subarray(2), apply)
  if (further) eachChange(further.subarray(0, MAX_FURTHER), apply)
  return { ...paragraph, style: styleOf(style) }
}
