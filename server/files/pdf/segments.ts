/** A piece of text on one line of a page; y grows downwards. */
export interface Segment {
  text: string
  left: number
  right: number
  /** The baseline. */
  y: number
  /** The size of the font. */
  size: number
  /** Neither rotated nor written from right to left, so its place in a table can be told. */
  isPlain: boolean
}

interface TextItem {
  str: string
  dir: string
  width: number
  height: number
  transform: number[]
  hasEOL: boolean
}

/** A wider gap, in sizes of the font, separates columns. */
const COLUMN_GAP = 1.3
/** A wider gap is a space between words. */
const WORD_GAP = 0.18

/** Joins what a PDF draws in pieces to segments, in the order of drawing. `view` turns the page upright. */
export function segmentsOf(items: readonly (TextItem | object)[], view: readonly number[]): Segment[] {
  const segments: Segment[] = []
  let [current, hasSpace, isNewLine]: [Segment | null, boolean, boolean] = [null, false, true]
  for (const item of items) {
    if (!('str' in item)) continue
    if (item.str.trim() !== '') {
      const next = placeOf(item, view)
      const gap = current ? Math.max(next.left - current.right, current.left - next.right) : 0
      const isNear = current && !isNewLine && gap < COLUMN_GAP * Math.max(current.size, next.size)
      const isSame = isNear || (current && !isNewLine && !(current.isPlain && next.isPlain))
      if (current && isSame && Math.abs(next.y - current.y) < Math.max(current.size, next.size)) {
        const isSpaced = hasSpace || gap > WORD_GAP * next.size
        current.text += (isSpaced && !/^\s/.test(item.str) ? ' ' : '') + item.str
        current.left = Math.min(current.left, next.left)
        current.right = Math.max(current.right, next.right)
      } else {
        current = next
        segments.push(current)
      }
      ;[hasSpace, isNewLine] = [false, false]
    } else if (item.str !== '') hasSpace = true
    if (item.hasEOL) isNewLine = true
  }
  return segments.filter(({ text }) => text.trim() !== '')
}

function placeOf({ str, dir, transform, width, height }: TextItem, view: readonly number[]): Segment {
  const [a, b, , , x, y] = transform as [number, number, number, number, number, number]
  const along = Math.hypot(a, b) || 1
  const start = applyTo(view, x, y)
  const end = applyTo(view, x + (a / along) * width, y + (b / along) * width)
  const isUpright = Math.abs(end.y - start.y) < 1
  return {
    text: str,
    left: Math.min(start.x, end.x),
    right: Math.max(start.x, end.x),
    y: start.y,
    size: height || Math.hypot(transform[2] ?? 0, transform[3] ?? 0) || 10,
    isPlain: isUpright && dir === 'ltr' && end.x >= start.x,
  }
}

export const applyTo = (matrix: readonly number[], x: number, y: number) => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}

/** Segments beside each other, in the order of drawing. */
export interface Line {
  segments: Segment[]
  y: number
}

export function linesOf(segments: readonly Segment[]): Line[] {
  const lines: Line[] = []
  for (const segment of segments) {
    const line = lines.at(-1)
    const before = line?.segments.at(-1)
    const isBeside =
      before &&
      Math.abs(segment.y - before.y) < 0.3 * Math.max(segment.size, before.size) &&
      before.isPlain &&
      segment.isPlain
    if (line && isBeside) line.segments.push(segment)
    else lines.push({ segments: [segment], y: segment.y })
  }
  for (const { segments } of lines) if (segments.length > 1) segments.sort((a, b) => a.left - b.left)
  return lines
}
