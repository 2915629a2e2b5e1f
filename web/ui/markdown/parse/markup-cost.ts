import { closesBlock, endsBefore, type OpenBlock, opened } from './dangling.ts'

/** What parsing and rendering a text takes, in ms of a slow processor: known before it from what the text is made of. */
interface MarkupCost {
  whole: number
  /** Of the lines between two blank ones, which are parsed at once. */
  longestRun: number
}

const CHARACTER = 0.002
/** The costliest: `[a]:` and a line end. */
const WORST_CHARACTER = 0.4
const LINE = 0.25
const LINE_OF_CODE = 0.12
const CHARACTER_OF_CODE = 0.0005
const DEFINITION = 1
const BARE_ADDRESS = 0.15
/** After another sign: what begins and never ends is tried again at each one. */
const SIGN_AFTER_SIGN = 0.15

type Kind = 'letter' | 'tab' | 'break' | 'other' | 'bar' | 'marker' | 'sign' | 'bracket'
/** A row of a table has many bars. */
const costs: Record<Kind, number> = {
  letter: 0,
  tab: 0.006,
  break: LINE,
  other: 0,
  bar: 0.02,
  marker: 0.17,
  sign: 0.06,
  bracket: 0.15,
}

const kinds = Array.from({ length: 128 }, (_, code): Kind => {
  const character = String.fromCharCode(code)
  if (character === '[') return 'bracket'
  if (character === '\t') return 'tab'
  if (character === '\r') return 'break'
  if (character === '|') return 'bar'
  if (/[*_`$<>~\]\\&@]/.test(character)) return 'sign'
  if (/[+#=-]/.test(character)) return 'marker'
  return /[!-/:-@{}^]/.test(character) ? 'other' : 'letter'
})

/** A table of 500 rows takes half of the first. */
const MAX_RUN = 450
/** An ordinary text of the longest length takes a third. */
const MAX_WHOLE = 4000

/** Whether the page would stand still for it. */
export function isTooDense(text: string): boolean {
  // Texts of that length cannot be, whatever they are made of.
  if (text.length * WORST_CHARACTER < MAX_RUN) return false
  const { whole, longestRun } = markupCost(text)
  return longestRun > MAX_RUN || whole > MAX_WHOLE
}

/** One pass over the text, given up where it is too dense already. */
export function markupCost(text: string): MarkupCost {
  const cost = { whole: 0, longestRun: 0 }
  let [run, wasBlank] = [0, false]
  let open: OpenBlock | null = null
  for (let from = 0; from <= text.length && cost.whole <= MAX_WHOLE; ) {
    const lineEnd = text.indexOf('\n', from)
    const end = lineEnd < 0 ? text.length : lineEnd
    const line = text.slice(from, end)
    if (open && endsBefore(line, open)) open = null
    const isCode = open !== null
    if (open === null) open = opened(line)
    else if (closesBlock(line, open)) open = null
    const own = isCode && open !== null ? LINE_OF_CODE + line.length * CHARACTER_OF_CODE : costOf(line)
    cost.whole += own
    const isBlank = line.trim() === ''
    run = isBlank && !wasBlank ? own : run + own
    wasBlank = isBlank
    cost.longestRun = Math.max(cost.longestRun, run)
    from = end + 1
  }
  return cost
}

function costOf(line: string): number {
  let cost = LINE + line.length * CHARACTER
  if (/^[ \t>]*\[[^\]]+\]:/.test(line)) cost += DEFINITION
  if (/www|http|@/i.test(line)) cost += BARE_ADDRESS * (line.match(/www|http|@/gi)?.length ?? 0)
  let before: Kind | 'start' = 'start'
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    const kind: Kind = code < 128 ? (kinds[code] ?? 'letter') : 'letter'
    if (kind !== 'letter') cost += costAfter(before, kind)
    before = code === 32 ? 'start' : kind === 'tab' ? 'letter' : kind
  }
  return cost
}

/** «2024-11-19» has no bullets; a rule under the head of a table has bars and hyphens. */
function costAfter(before: Kind | 'start', kind: Kind): number {
  if (kind === 'tab') return costs.tab
  if (kind === 'marker' && before === 'letter') return 0
  const isRepeated = before !== 'start' && before !== 'letter' && before !== 'bar' && kind !== 'bar'
  return costs[kind] + (isRepeated ? SIGN_AFTER_SIGN : 0)
}
