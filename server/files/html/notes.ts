import { DomUtils } from 'htmlparser2'
import { type Element, isNote } from './looks.ts'
import { becomeText, fragment, type Page, remove } from './page.ts'

/** Notes of a page, or of all chapters of a book, which are counted together. */
export interface Notes {
  /** The notes that were found, with their marks. */
  taken: Map<Element, string>
  marks: Set<Element>
  /** The place that a link leads to in another chapter. */
  find?: (link: string) => Element | null
}

const LONGEST_MARK = 8
const blocks = /^(?:p|h[1-6]|li|dd|dt|blockquote|td|th|div|section|article|aside|main|body|table)$/
const wrapped = /^(?:p|h[1-6]|table)$/
const noteBlocks = /^(?:p|li|dd|aside|tr)$/

export const noNotes = (): Notes => ({ taken: new Map(), marks: new Set() })

/** Puts «[сноска 1]» where a note belongs and the note after this paragraph. */
export function placeNotes({ elements, ids }: Page, notes: Notes): void {
  const { taken, marks } = notes
  const fresh: Element[] = []
  const placed = new Map<Element, string[]>()
  for (const link of elements) {
    const place = link.name === 'a' ? placeOf(link, ids, notes) : null
    // The way back from a note looks like the way to it.
    if (!place || marks.has(place) || isInside(link, taken)) continue
    const sup = supOf(link)
    for (const mark of [link, sup]) if (mark) marks.add(mark)
    const note = noteOf(place, link)
    const number = DomUtils.textContent(link).replace(/[^\p{L}\p{N}*]/gu, '')
    let mark = note ? taken.get(note) : undefined
    if (note && mark === undefined && !isInside(note, taken)) {
      mark = `[сноска ${taken.size + 1}]`
      taken.set(note, mark)
      fresh.push(note)
      const block = blockOf(link)
      if (block) placed.set(block, [...(placed.get(block) ?? []), `${mark} ${textOf(note, number)}`])
    }
    if (mark !== undefined) becomeText(sup ?? link, mark)
  }
  for (const [block, texts] of placed) append(block, texts)
  removeAll(fresh)
}

/** Where a mark of a note leads to; null for other links. */
function placeOf(link: Element, ids: Page['ids'], { find }: Notes): Element | null {
  const { href = '', role = '', class: classes = '' } = link.attribs
  const isNamed = /\bnoteref\b/.test(`${link.attribs['epub:type'] ?? ''} ${role}`) || role === 'doc-noteref'
  const hash = href.indexOf('#')
  if (hash < 0 || role === 'doc-backlink') return null
  if (!isNamed && !supOf(link) && !hasSup(link) && !/\b(?:footnote-?ref|fnref|noteref)\b/.test(classes)) return null
  if (!isNamed && DomUtils.textContent(link).trim().length > LONGEST_MARK) return null
  return hash === 0 ? (ids.get(decoded(href.slice(1))) ?? null) : (find?.(href) ?? null)
}

export function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const parentOf = ({ parent }: Element) => (parent && DomUtils.isTag(parent) ? parent : null)
const supOf = (link: Element) => {
  const parent = parentOf(link)
  return parent?.name === 'sup' ? parent : null
}
const hasSup = ({ children }: Element) => children.some((child) => DomUtils.isTag(child) && child.name === 'sup')

/** The element that holds the whole note; null if this is no note of its own. */
function noteOf(place: Element, link: Element): Element | null {
  let note: Element | null = place
  const isWhole = (element: Element) =>
    noteBlocks.test(element.name) || isNote(element.attribs) || (element === place && element.name === 'div')
  while (note && !isWhole(note)) note = parentOf(note)
  for (let outer: Element | null = link; outer; outer = parentOf(outer)) if (outer === note) return null
  return note
}

function isInside(note: Element, taken: ReadonlyMap<Element, string>): boolean {
  for (let outer = parentOf(note); outer; outer = parentOf(outer)) if (taken.has(outer)) return true
  return false
}

/** The paragraph of a mark, or the table around it. */
function blockOf(link: Element): Element | null {
  let block: Element | null = null
  for (let outer = parentOf(link); outer; outer = parentOf(outer))
    if (outer.name === 'table' || (!block && blocks.test(outer.name))) block = outer
  return block
}

/** Without the way back and the number that stands before it. */
function textOf(note: Element, number: string): string {
  const text = (nodes: Element['children']): string =>
    nodes
      .map((node) => {
        if (DomUtils.isText(node)) return node.data
        if (!DomUtils.isTag(node) || /^(?:script|style|template)$/.test(node.name)) return ''
        const inner = text(node.children)
        const isBack = node.name === 'a' && node.attribs.href?.includes('#') && !/\p{L}{3}/u.test(inner)
        return isBack ? '' : /^(?:p|div|li|br|tr|td)$/.test(node.name) ? `${inner} ` : inner
      })
      .join('')
  const whole = text(note.children).replace(/\s+/g, ' ').trim()
  const before = /^\s*[[(]?([\p{L}\p{N}*]{1,4})[\])]?[.:]?\s+/u.exec(whole)
  return before?.[1] === number ? whole.slice(before[0].length) : whole
}

function append(block: Element, texts: readonly string[]): void {
  const added = texts.flatMap((text) => {
    const paragraphs = fragment('<p><span></span></p>')
    for (const paragraph of DomUtils.getElementsByTagName('span', paragraphs)) becomeText(paragraph, text)
    return paragraphs
  })
  if (!wrapped.test(block.name)) {
    block.children = [...block.children, ...added]
    return
  }
  const inner = fragment(`<${block.name}></${block.name}>`)
  for (const element of inner) if (DomUtils.isTag(element)) element.children = block.children
  ;[block.name, block.children] = ['div', [...inner, ...added]]
}

/** Notes leave their place, and so does what held nothing else. */
function removeAll(notes: readonly Element[]): void {
  const full = new Set<Element>()
  for (const note of notes) remove(note)
  for (const note of notes) {
    for (let outer = parentOf(note); outer && !full.has(outer) && outer.name !== 'body'; outer = parentOf(outer)) {
      if (hasText(outer.children)) full.add(outer)
      else remove(outer)
    }
  }
}

const hasText = (nodes: Element['children']): boolean =>
  nodes.some((node) =>
    DomUtils.isText(node) ? node.data.trim() !== '' : DomUtils.isTag(node) && hasText(node.children),
  )
