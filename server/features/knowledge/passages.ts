import { valueAcross } from '#contract/personal-data.ts'
import { type Unit, unitsOf } from './blocks.ts'

export interface PassageDraft {
  position: number
  /** The page or sheet, in words: «стр. 4», «стр. 4–5», «лист «Цены»». */
  place: string | null
  /** The headings above it. */
  section: string | null
  text: string
  /** How many symbols at the beginning repeat earlier text: an overlap, or the header of a table. */
  lead: number
}

export interface TextWithPages {
  name: string
  content: string
  pages: { name: string; offset: number }[]
}

/** A passage of this size ends at the next paragraph or page. */
const ENOUGH_FOR_PASSAGE = 1200
const MAX_PASSAGE = 1800
/** A heading or a page begins a new passage, unless the one before would be smaller than this. */
const MIN_PASSAGE = 600
const OVERLAP = { least: 150, most: 250 }
const MAX_SECTION = 300

/** Cuts a text at headings, pages and paragraphs. Table rows are not cut and repeat the header of the table. */
export const cutPassages = (file: TextWithPages): PassageDraft[] => [...passagesIn(file)]

/** The same as a generator: the caller can yield to other requests between passages. */
export function* passagesIn({ content, pages }: TextWithPages): Generator<PassageDraft> {
  let position = 0
  let before: Unit[] | null = null
  for (const units of draftsOf(content, pages)) {
    for (const passage of toPassages(units, before, content, pages)) yield { position: position++, ...passage }
    before = units
  }
}

function* draftsOf(content: string, pages: TextWithPages['pages']): Generator<Unit[]> {
  const pageAt = new Map(pages.map(({ name, offset }) => [offset, name]))
  let units: Unit[] = []
  for (const unit of splitAtPages(unitsOf(content), pages)) {
    if (units.length > 0 && isEndBefore(unit, units, pageAt.get(unit.start))) {
      yield units
      units = []
    }
    units.push(unit)
  }
  if (units.length > 0) yield units
}

const sizeOf = (units: Unit[], end: number) => end - (units[0]?.start ?? end)

/** `page` is the page or sheet that begins with the unit. */
function isEndBefore(next: Unit, units: Unit[], page: string | undefined): boolean {
  const size = sizeOf(units, next.start)
  if (page && !isNumbered(page)) return true
  if (size + (next.end - next.start) > MAX_PASSAGE) return true
  // A heading belongs to the text after it, not to the end of a passage.
  if (units.at(-1)?.kind === 'heading') return false
  if ((next.kind === 'heading' || page) && size >= MIN_PASSAGE) return true
  return size >= ENOUGH_FOR_PASSAGE && next.kind !== 'row' && units.at(-1)?.kind === 'row'
}

/** Text continues from page to page; sheets have names and are separate. */
const isNumbered = (page: string) => /^стр\. \d+$/.test(page)

/** Splits units at page breaks, so that a page begins with a unit. */
function* splitAtPages(units: Iterable<Unit>, pages: TextWithPages['pages']): Generator<Unit> {
  let next = 0
  for (const unit of units) {
    let { start } = unit
    for (let at = pages[next]?.offset; at !== undefined && at < unit.end; at = pages[next]?.offset) {
      if (at > start) yield { ...unit, start, end: at }
      start = Math.max(start, at)
      next += 1
    }
    yield { ...unit, start }
  }
}

function toPassages(
  units: Unit[],
  before: Unit[] | null,
  content: string,
  pages: TextWithPages['pages'],
): Omit<PassageDraft, 'position'>[] {
  const [first, last] = [units[0], units.at(-1)]
  if (!first || !last) return []
  const own = content.slice(first.start, last.end).trimEnd().replace(/^\n+/, '')
  if (own === '') return []
  const lead = leadOf(first, before, content, pages)
  return [
    { place: placeOf(first, last, content, pages), section: sectionOf(units), lead: lead.length, text: lead + own },
  ]
}

/** The repeated text that makes a passage understandable alone. */
function leadOf(first: Unit, before: Unit[] | null, content: string, pages: TextWithPages['pages']): string {
  if (first.kind === 'row') return first.header === null ? '' : `${first.header}\n`
  const isSheet = pages.some(({ name, offset }) => offset === first.start && !isNumbered(name))
  if (first.kind === 'heading' || isSheet || before?.at(-1)?.kind !== 'text') return ''
  const start = before[0]?.start ?? first.start
  const tail = content.slice(Math.max(start, first.start - OVERLAP.most), first.start)
  const sentence = /[.!?…;\n]["»)]?\s+(?=\S)/g
  const starts = [...tail.matchAll(sentence)].map((match) => match.index + match[0].length)
  const at = starts.find((start) => tail.length - start >= OVERLAP.least || start === starts.at(-1))
  const fits = at !== undefined && tail.length - at >= OVERLAP.least
  const begin = first.start - tail.length + (fits ? at : tail.indexOf(' ') + 1)
  // A lead that begins with half a phone number could not be hidden from a model.
  const lead = content.slice(Math.min(valueAcross(content, begin)?.end ?? begin, first.start), first.start)
  return lead.trim() === '' ? '' : lead
}

function placeOf(first: Unit, last: Unit, content: string, pages: TextWithPages['pages']): string | null {
  const end = last.start + content.slice(last.start, last.end).trimEnd().length
  const from = pages.findLast(({ offset }) => offset <= first.start)
  const to = pages.findLast(({ offset }) => offset < end) ?? from
  if (!from || !to) return to?.name ?? null
  if (from === to || !isNumbered(to.name)) return from.name
  return `${from.name}–${to.name.replace('стр. ', '')}`
}

function sectionOf(units: Unit[]): string | null {
  const unit = units.find(({ kind }) => kind !== 'heading') ?? units.at(-1)
  const section = (unit?.above ?? []).map(({ title }) => title).join(' › ')
  return section === '' ? null : section.slice(0, MAX_SECTION)
}

export function passageHeading({
  fileName,
  place,
  section,
}: {
  fileName: string
  place: string | null
  section: string | null
}) {
  return [`Файл «${fileName}»`, place, section && `раздел «${section}»`].filter(Boolean).join(', ')
}
