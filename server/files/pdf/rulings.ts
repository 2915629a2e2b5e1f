import type { PDFPageProxy } from 'unpdf/pdfjs'
import { applyTo } from './segments.ts'

/** A straight line of a table: from one point to another, along one axis. */
interface Ruling {
  isFlat: boolean
  /** y of a flat line, x of an upright one. */
  at: number
  from: number
  to: number
}

/** The lines of a table as the borders of its columns and rows, each in ascending order. */
export interface Grid {
  columns: number[]
  rows: number[]
}

const THIN = 3
const SHORTEST = 6
const TOUCH = 3
const MAX_RULINGS = 3000

/** Numbers of the operations of pdf.js. */
const SAVE = 10
const RESTORE = 11
const TRANSFORM = 12
const FORM_BEGIN = 74
const FORM_END = 75
const PATH = 91
const STROKES = new Set([20, 21, 24, 25, 26, 27])
const FILLS = new Set([22, 23])

/** Lines and thin rectangles that a page draws. Images are not decoded for this: see `maxImageSize`. */
export async function gridsOf(page: PDFPageProxy, view: readonly number[]): Promise<Grid[]> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const rulings: Ruling[] = []
  const stack: (readonly number[])[] = []
  let matrix = view
  for (const [index, operation] of fnArray.entries()) {
    const args: unknown[] = argsArray[index] ?? []
    if (operation === SAVE || operation === FORM_BEGIN) stack.push(matrix)
    if (operation === RESTORE || operation === FORM_END) matrix = stack.pop() ?? view
    if (operation === TRANSFORM) matrix = multiply(matrix, args as number[])
    if (operation === FORM_BEGIN && Array.isArray(args[0])) matrix = multiply(matrix, args[0] as number[])
    if (operation === PATH && rulings.length < MAX_RULINGS) rulings.push(...rulingsIn(args, matrix))
  }
  return gridsIn(rulings.slice(0, MAX_RULINGS))
}

function multiply(m: readonly number[], n: readonly number[]): number[] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = m
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = n
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

/** Numbers that follow the sign of a step: to a point, along a curve, back to the start. */
const STEP_NUMBERS = [2, 2, 6, 4, 0]

function rulingsIn([paint, data]: unknown[], matrix: readonly number[]): Ruling[] {
  const isStroke = STROKES.has(paint as number)
  if (!isStroke && !FILLS.has(paint as number)) return []
  const steps = Array.isArray(data) ? data[0] : null
  if (!(steps instanceof Float32Array)) return []
  const found: Ruling[] = []
  let points: { x: number; y: number }[] = []
  const finish = () => {
    found.push(...(isStroke ? edges(points) : thin(points)))
    points = []
  }
  for (let at = 0; at < steps.length && found.length < MAX_RULINGS; ) {
    const step = steps[at] ?? 0
    const count = STEP_NUMBERS[step]
    if (count === undefined) break
    if (step === 0) finish()
    if (count >= 2) points.push(applyTo(matrix, steps[at + count - 1] ?? 0, steps[at + count] ?? 0))
    if (step === 4 && points[0]) points.push(points[0])
    at += 1 + count
  }
  finish()
  return found
}

type Point = { x: number; y: number }

function edges(points: readonly Point[]): Ruling[] {
  return points.slice(1).flatMap((to, index) => rulingOf(points[index] ?? to, to) ?? [])
}

/** A filled rectangle that is so thin that it is a line. */
function thin(points: readonly Point[]): Ruling[] {
  if (points.length < 4) return []
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  if (Math.min(right - left, bottom - top) > THIN) return []
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const isFlat = right - left > bottom - top
  return [rulingOf(isFlat ? { x: left, y } : { x, y: top }, isFlat ? { x: right, y } : { x, y: bottom }) ?? []].flat()
}

function rulingOf(from: Point, to: Point): Ruling | null {
  const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)]
  if (height <= 1 && width >= SHORTEST)
    return { isFlat: true, at: from.y, from: Math.min(from.x, to.x), to: Math.max(from.x, to.x) }
  if (width <= 1 && height >= SHORTEST)
    return { isFlat: false, at: from.x, from: Math.min(from.y, to.y), to: Math.max(from.y, to.y) }
  return null
}

const touches = (a: Ruling, b: Ruling) =>
  a.isFlat === b.isFlat
    ? Math.abs(a.at - b.at) <= TOUCH && a.from <= b.to + TOUCH && b.from <= a.to + TOUCH
    : a.at >= b.from - TOUCH && a.at <= b.to + TOUCH && b.at >= a.from - TOUCH && b.at <= a.to + TOUCH

/** Lines that touch each other are one table, if they make at least two columns and two rows. */
function gridsIn(rulings: readonly Ruling[]): Grid[] {
  const left = new Set(rulings)
  const grids: Grid[] = []
  for (const first of rulings) {
    if (!left.delete(first)) continue
    const group = [first]
    for (let at = 0; at < group.length; at += 1) {
      for (const other of left) {
        if (!touches(group[at] ?? first, other)) continue
        left.delete(other)
        group.push(other)
      }
    }
    const columns = distinct(group.filter(({ isFlat }) => !isFlat).map(({ at }) => at))
    const rows = distinct(group.filter(({ isFlat }) => isFlat).map(({ at }) => at))
    if (columns.length >= 3 && rows.length >= 3) grids.push({ columns, rows })
  }
  return grids
}

function distinct(values: number[]): number[] {
  const found: number[] = []
  for (const value of values.sort((a, b) => a - b)) if (value - (found.at(-1) ?? -100) > TOUCH) found.push(value)
  return found
}
