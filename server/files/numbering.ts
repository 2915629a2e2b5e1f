/** Numbers of clauses, as word processors count them: papers store what a level looks like, not the numbers. */

export interface Level {
  start: number
  format: NumberFormat
  /** What is written before the text: signs and `%1` to `%9` for the numbers of the levels. */
  text: string
  /** It starts again after a level of at most this depth, from 1; 0 is never, null after every higher one. */
  restartsAfter: number | null
  /** Numbers of higher levels are written in digits, such as «1.1» below «Часть I». */
  isLegal: boolean
}

export type NumberFormat = keyof typeof formats | 'bullet'

const ROMAN: [string, number][] = [
  ...([
    ['M', 1000],
    ['CM', 900],
    ['D', 500],
    ['CD', 400],
    ['C', 100],
    ['XC', 90],
    ['L', 50],
  ] as [string, number][]),
  ...([
    ['XL', 40],
    ['X', 10],
    ['IX', 9],
    ['V', 5],
    ['IV', 4],
    ['I', 1],
  ] as [string, number][]),
]

function roman(number: number): string {
  let [left, text] = [number, '']
  for (const [sign, value] of ROMAN)
    while (left >= value) {
      text += sign
      left -= value
    }
  return text
}

/** After the last letter they are doubled: «я», «аа», «бб». */
const letters = (alphabet: string) => (number: number) => {
  const at = number - 1
  return (alphabet[at % alphabet.length] ?? '').repeat(Math.floor(at / alphabet.length) + 1)
}
const latin = letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
const russian = letters('АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ')

const formats = {
  decimal: String,
  decimalZero: (number: number) => String(number).padStart(2, '0'),
  upperRoman: roman,
  lowerRoman: (number: number) => roman(number).toLowerCase(),
  upperLetter: latin,
  lowerLetter: (number: number) => latin(number).toLowerCase(),
  russianUpper: russian,
  russianLower: (number: number) => russian(number).toLowerCase(),
  none: () => '',
} satisfies Record<string, (number: number) => string>

export const isFormat = (name: string): name is NumberFormat => name === 'bullet' || Object.hasOwn(formats, name)

/** Longer numbers in letters or Roman signs would only take room. */
const MOST_WRITTEN = 3000

export function written(number: number, format: NumberFormat): string {
  if (format === 'bullet' || number < 0) return ''
  return number === 0 || number > MOST_WRITTEN ? String(number) : formats[format](number)
}

/** How far each level of a list has counted; undefined where it begins anew. */
export type Counts = (number | undefined)[]

const MAX_LEVELS = 10
const MAX_NUMBER = 1_000_000
const MAX_LABEL = 60

/** Counts a paragraph of a level, from 0, and returns what is written before it; null for a level without a number. */
export function countLevel(levels: readonly Level[], counts: Counts, at: number, startsAt?: number): string | null {
  const level = levels[at]
  if (!level || at >= MAX_LEVELS) return null
  const before = counts[at]
  counts[at] = Math.min(startsAt ?? (before === undefined ? level.start : before + 1), MAX_NUMBER)
  for (let below = at + 1; below < MAX_LEVELS; below += 1) {
    const after = levels[below]?.restartsAfter ?? null
    if (after === null || at + 1 <= after) counts[below] = undefined
  }
  return labelOf(levels, counts, at)
}

function labelOf(levels: readonly Level[], counts: Counts, at: number): string | null {
  const own = levels[at]
  if (!own || own.format === 'bullet') return null
  return own.text
    .slice(0, MAX_LABEL)
    .replace(/%(\d)/g, (_, digit: string) => {
      const index = Number(digit) - 1
      const level = levels[index]
      if (!level || index > at) return ''
      const isDecimal = own.isLegal && index < at && level.format !== 'decimalZero'
      return written(counts[index] ?? level.start, isDecimal ? 'decimal' : level.format)
    })
    .trim()
}

/** «1.1», «I.2»: the label names the level above. «Статья 1» counts by itself. */
const CARRIES_PARENT = /[\p{L}\p{N}][.\-–][\p{L}\p{N}]|\p{L}{2}\s/u

/** Numbers that begin anew under each item say by their indent what they belong to. */
export const isIndented = (label: string | null, depth: number) =>
  depth > 0 && label !== '' && !(label !== null && CARRIES_PARENT.test(label))

/** A paragraph with its number, or with the sign of a list without numbers, and its indent. */
export function numbered(text: string, label: string | null, depth: number): string {
  if (label === '') return text
  const indent = isIndented(label, depth) ? '  '.repeat(depth) : ''
  return `${indent}${label === null ? '-' : label.replace(/\s+/g, ' ')} ${text}`
}

/** A list as paragraphs name it. Lists of Word share the counts of what they are made from. */
export interface ListUse {
  levels: readonly Level[]
  counts: Counts
  /** Levels that start anew, with their number, when this list reaches them for the first time. */
  restarts: Map<number, number>
}

export function nextLabel({ levels, counts, restarts }: ListUse, at: number): string | null {
  const startsAt = restarts.get(at)
  restarts.delete(at)
  return countLevel(levels, counts, at, startsAt)
}
