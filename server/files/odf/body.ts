import { type Blocks, createBlocks, type Note, type ParagraphShape } from '../blocks.ts'
import { createFormula } from '../formula.ts'
import { type Counts, countLevel } from '../numbering.ts'
import { markRaised, type Raised } from '../raised.ts'
import { type Attributes, readXml } from '../xml.ts'
import { createOdfStyles, type OdfStyles, OUTLINE } from './styles.ts'

/** Notes and comments of readers, indexes and changes that were deleted are not the text. */
export const skipped = new Set([
  ...['annotation', 'tracked-changes', 'forms', 'notes', 'settings', 'table-of-content-source', 'desc', 'title'],
  ...['note-citation', 'ruby-text'],
])

interface List {
  style: string
  counts: Counts
  item: { isNew: boolean; start: number | undefined; style: string | undefined } | null
}

interface Paragraph extends ParagraphShape {
  text: string
  notes: Note[]
}

/** What a paragraph or a part of it says about the text in it. */
interface Look {
  isHiding: boolean
  isStruck: boolean
  raised: Raised | null
}

/** The formula of an object of the file; empty for charts and other objects. */
type FormulaOf = (object: string) => string

interface Body {
  styles: OdfStyles
  formulaOf: FormulaOf
  /** Called at the end of each slide with its text; absent in a text document. */
  onSlide?: (text: string) => void
  keepsStruck?: boolean
}

/** The text of a text document, or of the slides of a presentation. */
export function readOdfBody(xml: string, { styles, formulaOf, onSlide, keepsStruck = false }: Body): string {
  const lists = createLists(styles)
  const paragraphs: Paragraph[] = []
  const notes: { kind: string; text: string }[] = []
  const counted = new Map<string, number>()
  const looks: Look[] = []
  let [blocks, hidden, isBody]: [Blocks, number, boolean] = [createBlocks(), 0, false]
  const isShown = () => hidden === 0 && (keepsStruck || !looks.at(-1)?.isStruck)
  const write = (text: string) => {
    const paragraph = paragraphs.at(-1)
    if (paragraph && isShown()) paragraph.text += markRaised(text, looks.at(-1)?.raised ?? null)
  }
  /** Elements that may hide what is in them. */
  const hides = (name: string, attribute: Attributes) =>
    name === 'section' ? attribute('display') === 'none' : styles.isHidden(attribute('style-name'))
  const hasLook = (name: string) => /^(?:span|a|p|h|section)$/.test(name)
  const lookOf = (name: string, attribute: Attributes): Look => {
    const style = name === 'section' ? undefined : attribute('style-name')
    // A paragraph in a frame or a note does not look like the one around it.
    const outer = name === 'span' || name === 'a' ? looks.at(-1) : undefined
    return {
      isHiding: hides(name, attribute),
      isStruck: styles.isStruck(style) ?? outer?.isStruck ?? false,
      raised: styles.raisedOf(style) ?? outer?.raised ?? null,
    }
  }

  const open = (name: string, attribute: Attributes) => {
    if (!isBody) styles.open(name, attribute)
    if (name === 'body') isBody = true
    if (!isBody) return
    if (hasLook(name)) {
      looks.push(lookOf(name, attribute))
      if (looks.at(-1)?.isHiding) hidden += 1
    }
    if (name === 'p' || name === 'h') paragraphs.push({ ...lists.shapeOf(name, attribute), text: '', notes: [] })
    if (name === 's' || name === 'tab') write(' ')
    if (name === 'line-break') write('\n')
    if (name === 'object') write(formulaOf(attribute('href') ?? ''))
    if (name === 'list') lists.open(attribute)
    if (name === 'list-item' || name === 'list-header') lists.openItem(name, attribute)
    if (name === 'note') notes.push({ kind: attribute('note-class') ?? '', text: '' })
    if (name === 'page' && onSlide) blocks = createBlocks()
    if (name === 'table') blocks.openTable()
    if (name === 'table-row') blocks.openRow()
    if (name === 'table-cell' || name === 'covered-table-cell') blocks.openCell()
  }
  const close = (name: string) => {
    if (!isBody) return
    if (name === 'p' || name === 'h') {
      const ended = paragraphs.pop()
      const note = notes.at(-1)
      if (note && ended) note.text += ` ${ended.text}`
      else if (ended) blocks.paragraph(ended.text, ended)
    }
    if (hasLook(name) && looks.pop()?.isHiding) hidden -= 1
    if (name === 'note') endNote()
    if (name === 'list') lists.close()
    if (name === 'table') blocks.closeTable()
    if (name === 'page') onSlide?.(blocks.text())
  }
  const endNote = () => {
    const note = notes.pop()
    const paragraph = paragraphs.at(-1)
    if (!note || !paragraph || !isShown()) return
    const kind = note.kind === 'endnote' ? 'концевая сноска' : 'сноска'
    const number = (counted.get(kind) ?? 0) + 1
    counted.set(kind, number)
    const mark = `[${kind} ${number}]`
    paragraph.text += mark
    paragraph.notes.push({ mark, text: note.text })
  }
  readXml(xml, { skip: skipped, open, close, text: write })
  return blocks.text()
}

/** Counts the items of lists, and headings, in their order. */
function createLists(styles: OdfStyles) {
  const open: List[] = []
  const byId = new Map<string, Counts>()
  const byStyle = new Map<string, Counts>()
  const headings: Counts = []
  const labelAt = (style: string, counts: Counts, depth: number, start?: number) => ({
    label: styles.levelsOf(style)[depth] ? countLevel(styles.levelsOf(style), counts, depth, start) : null,
    ...{ depth, list: counts },
  })
  return {
    open: (attribute: Attributes) => {
      const outer = open.at(-1)
      const style = attribute('style-name') ?? outer?.style ?? ''
      const [id, before] = [attribute('id'), attribute('continue-list')]
      const known = before === undefined ? undefined : byId.get(before)
      const continued = known ?? (attribute('continue-numbering') === 'true' ? byStyle.get(style) : undefined)
      const counts = outer?.counts ?? continued ?? []
      if (!outer) {
        byStyle.set(style, counts)
        if (id !== undefined) byId.set(id, counts)
      }
      open.push({ style, counts, item: null })
    },
    close: () => open.pop(),
    openItem: (name: string, attribute: Attributes) => {
      const list = open.at(-1)
      const start = Number(attribute('start-value') ?? Number.NaN)
      if (!list) return
      list.item = {
        isNew: name === 'list-item',
        start: Number.isInteger(start) && start >= 0 ? start : undefined,
        style: attribute('style-override'),
      }
    },
    /** An item has its number before its first paragraph; one that only holds another list does not count. */
    shapeOf: (name: string, attribute: Attributes): ParagraphShape => {
      const heading = name === 'h' ? Number(attribute('outline-level') ?? 1) || 1 : null
      const list = open.at(-1)
      if (list?.item?.isNew) {
        list.item.isNew = false
        const { style, start } = list.item
        return { heading, item: labelAt(style ?? list.style, list.counts, open.length - 1, start) }
      }
      if (heading === null || list || attribute('is-list-header') === 'true') return { heading }
      const own = styles.listOf(attribute('style-name'))
      if (own === '' || !styles.levelsOf(OUTLINE)[heading - 1]) return { heading }
      return { heading, item: labelAt(OUTLINE, headings, heading - 1) }
    },
  }
}

/** The formula of a part of the file; empty if it is none. */
export function formulaIn(xml: string): string {
  const formula = createFormula()
  let isFormula = false
  readXml(xml, {
    skip: new Set(['annotation', 'annotation-xml']),
    open: (name, attribute) => {
      if (name === 'math') isFormula = true
      else if (isFormula) formula.open(name, attribute)
    },
    close: (name) => {
      if (name !== 'math' && isFormula) formula.close()
    },
    text: (text) => {
      if (isFormula) formula.text(text.trim())
    },
  })
  return isFormula ? formula.end() : ''
}

/** Headers and footers are in the styles of the pages, once each. */
export function marginsOf(styles: string): { headers: string[]; footers: string[] } {
  const found = { headers: new Set<string>(), footers: new Set<string>() }
  let [line, where]: [string, 'headers' | 'footers' | null] = ['', null]
  readXml(styles, {
    open: (name) => {
      if (/^header(-left|-first)?$/.test(name)) where = 'headers'
      if (/^footer(-left|-first)?$/.test(name)) where = 'footers'
      if (name === 's' || name === 'tab') line += ' '
    },
    text: (text) => {
      if (where) line += text
    },
    close: (name) => {
      if (where && name === 'p') {
        const text = line.replace(/\s+/g, ' ').trim()
        if (/\p{L}|\d.*\d/u.test(text)) found[where].add(text)
        line = ''
      }
      if (/^(header|footer)(-left|-first)?$/.test(name)) where = null
    },
  })
  return { headers: [...found.headers], footers: [...found.footers] }
}

/** The styles of the file; those of the text are read with it. */
export function stylesIn(xml: string): OdfStyles {
  const styles = createOdfStyles()
  readXml(xml, { open: styles.open })
  return styles
}
