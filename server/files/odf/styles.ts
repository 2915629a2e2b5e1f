import type { Level, NumberFormat } from '../numbering.ts'
import type { Raised } from '../raised.ts'
import type { Attributes } from '../xml.ts'

interface Style {
  parent: string | null
  isHidden: boolean | undefined
  isStruck: boolean | undefined
  raised: Raised | null | undefined
  /** The list of its paragraphs; an empty name takes away the number that headings have. */
  list: string | undefined
}

export interface OdfStyles {
  open: (name: string, attribute: Attributes) => void
  isHidden: (style: string | undefined) => boolean
  /** Undefined where the text around decides. */
  isStruck: (style: string | undefined) => boolean | undefined
  raisedOf: (style: string | undefined) => Raised | null | undefined
  listOf: (style: string | undefined) => string | undefined
  levelsOf: (list: string) => readonly Level[]
}

/** The name that the numbers of headings are stored under. */
export const OUTLINE = ' outline'
const MAX_CHAIN = 20
const MAX_DEPTH = 10

const formats: Record<string, NumberFormat> = {
  ...{ '1': 'decimal', I: 'upperRoman', i: 'lowerRoman', A: 'upperLetter', a: 'lowerLetter', '': 'none' },
  ...{ '0': 'decimalZero', А: 'russianUpper', а: 'russianLower' },
}

/** Collects the styles of a file from its elements, in any order. */
export function createOdfStyles(): OdfStyles {
  const styles = new Map<string, Style>()
  const lists = new Map<string, Level[]>()
  let [style, levels]: [Style | null, Level[] | null] = [null, null]
  const list = (name: string) => {
    levels = []
    lists.set(name, levels)
  }
  const open = (name: string, attribute: Attributes) => {
    if (name === 'style') {
      style = {
        ...{
          parent: attribute('parent-style-name') ?? null,
          isHidden: undefined,
          isStruck: undefined,
          raised: undefined,
        },
        list: attribute('list-style-name'),
      }
      styles.set(attribute('name') ?? '', style)
    }
    const display = name === 'text-properties' && style ? attribute('text:display') : undefined
    if (style && display !== undefined) style.isHidden = display === 'none'
    if (name === 'text-properties' && style) {
      style.isStruck = struckIn(attribute)
      style.raised = raisedIn(attribute('text-position'))
    }
    if (name === 'list-style') [style, levels] = [null, null]
    if (name === 'list-style') list(attribute('name') ?? '')
    if (name === 'outline-style') list(OUTLINE)
    if (/^(list|outline)-level-style/.test(name)) addLevel(levels, name, attribute)
  }
  const find = <Key extends keyof Style>(name: string | undefined, key: Key): Style[Key] | undefined => {
    let next: string | null | undefined = name
    for (let links = 0; next && links < MAX_CHAIN; links += 1) {
      const found: Style | undefined = styles.get(next)
      if (found?.[key] !== undefined) return found[key]
      next = found?.parent
    }
    return undefined
  }
  return {
    open,
    isHidden: (name) => find(name, 'isHidden') ?? false,
    isStruck: (name) => find(name, 'isStruck'),
    raisedOf: (name) => find(name, 'raised'),
    listOf: (name) => find(name, 'list'),
    levelsOf: (name) => lists.get(name) ?? [],
  }
}

function struckIn(attribute: Attributes): boolean | undefined {
  const [style, type] = [attribute('text-line-through-style'), attribute('text-line-through-type')]
  return style === undefined && type === undefined ? undefined : style !== 'none' && type !== 'none'
}

/** «super 58%», or how far it is moved: «-33% 58%». */
function raisedIn(position: string | undefined): Raised | null | undefined {
  if (position === undefined) return undefined
  const by = Number.parseFloat(position)
  return /^super/.test(position) || by > 0 ? 'super' : /^sub/.test(position) || by < 0 ? 'sub' : null
}

function addLevel(levels: Level[] | null, name: string, attribute: Attributes): void {
  const depth = Number(attribute('level') ?? 1)
  if (!levels || !(depth >= 1 && depth <= MAX_DEPTH)) return
  const isNumber = name === 'list-level-style-number' || name === 'outline-level-style'
  const format = attribute('num-format') ?? ''
  levels[depth - 1] = {
    start: Math.max(0, Math.floor(Number(attribute('start-value') ?? 1)) || 0),
    format: isNumber ? (formats[format.charAt(0)] ?? 'decimal') : 'bullet',
    text: format === '' ? '' : textOf(depth, attribute),
    ...{ restartsAfter: null, isLegal: false },
  }
}

/** Newer files have the whole text of the label, others its beginning, its end and how many numbers are between. */
function textOf(depth: number, attribute: Attributes): string {
  const whole = attribute('num-list-format')
  if (whole !== undefined) return whole.replace(/%(\d+)%/g, '%$1')
  const shown = Math.min(Math.max(1, Number(attribute('display-levels') ?? 1) || 1), depth)
  const numbers = Array.from({ length: shown }, (_, n) => `%${depth - shown + n + 1}`)
  return `${attribute('num-prefix') ?? ''}${numbers.join('.')}${attribute('num-suffix') ?? ''}`
}
