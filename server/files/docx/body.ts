import { type Blocks, createBlocks, type ListItem, type Note } from '../blocks.ts'
import { createFormula, type Formula } from '../formula.ts'
import { markRaised } from '../raised.ts'
import { type Attributes, readXml } from '../xml.ts'
import type { ParagraphNumbering } from './numbering.ts'
import { addLook, BODY_TEXT, formerProperties, isOn, type Look, numberOf, type Styles } from './styles.ts'
import { symbolOf } from './symbols.ts'

export interface BodyContext {
  styles: Styles
  /** Absent for headers and notes, whose numbers do not count with those of the text. */
  labelOf?: ((of: ParagraphNumbering) => ListItem | null) | undefined
  /** The notes of the document by kind and id; absent inside of them. */
  notes?: ReadonlyMap<string, string> | undefined
  keepsStruck?: boolean
}

/** Former properties, the second copy of a text box and the reading of characters are not the text. */
const skipped = new Set([...formerProperties, 'Fallback', 'rt'])
/** What was deleted or moved away while changes were tracked. */
const isDeletion = (name: string) => name === 'del' || name === 'moveFrom'
const MAX_SPAN = 16

interface Paragraph extends ParagraphNumbering {
  text: string
  notes: Note[]
  outline: number | null
  /** What its style says about the characters. */
  look: Look
  /** The end of the paragraph is deleted or hidden: the next one goes on in its line. */
  isOpen: boolean
  isEndHidden: boolean
  isInMark: boolean
}

interface Run {
  style: string | null
  look: Look
}

/** The text of a part that has paragraphs and tables, and of each note in it. */
export function readBody(xml: string, context: BodyContext): { text: string; notes: Map<string, string> } {
  const { styles, labelOf, keepsStruck = false } = context
  const notes = new Map<string, string>()
  const counted = { footnote: 0, endnote: 0 }
  const paragraphs: Paragraph[] = []
  let blocks: Blocks = createBlocks()
  let [run, formula, note]: [Run | null, Formula | null, string | null] = [null, null, null]
  let [isText, deleted, carried, box]: [boolean, number, Carried | null, string | null] = [false, 0, null, null]
  const spans: number[] = []
  const paragraph = () => paragraphs.at(-1)
  const write = (text: string) => {
    const current = paragraph()
    if (!current || deleted > 0) return
    const look = lookIn(current)
    if (isShown(look)) current.text += markRaised(text, look.raised ?? null)
  }
  const lookIn = (current: Paragraph): Look =>
    run ? { ...current.look, ...(run.style ? styles.lookOf(run.style) : null), ...run.look } : current.look
  const isShown = ({ isHidden, isStruck, isDoubleStruck }: Look) =>
    deleted === 0 && !isHidden && (keepsStruck || !(isStruck || isDoubleStruck))

  const properties: Record<string, (attribute: Attributes) => void> = {
    pStyle: (attribute) => {
      const current = paragraph()
      if (!current) return
      current.style = attribute('val') ?? null
      current.look = styles.lookOf(current.style)
    },
    numId: (attribute) => assign(paragraph(), { numId: attribute('val') }),
    ilvl: (attribute) => assign(paragraph(), { depth: numberOf(attribute) }),
    outlineLvl: (attribute) => assign(paragraph(), { outline: numberOf(attribute) ?? null }),
    rStyle: (attribute) => assign(run, { style: attribute('val') ?? null }),
    vanish: (attribute) => {
      if (!run && paragraph()?.isInMark && isOn(attribute)) assign(paragraph(), { isOpen: true, isEndHidden: true })
    },
  }
  const content: Record<string, (attribute: Attributes) => void> = {
    tab: () => {
      if (run) write(' ')
    },
    br: () => write('\n'),
    cr: () => write('\n'),
    noBreakHyphen: () => write('-'),
    sym: (attribute) => write(symbolOf(attribute('font') ?? '', attribute('char') ?? '')),
    checkBox: () => {
      box = '☐'
    },
    default: (attribute) => {
      if (box) box = isOn(attribute) ? '☒' : '☐'
    },
    checked: (attribute) => {
      if (box) box = isOn(attribute) ? '☒' : '☐'
    },
    footnoteReference: (attribute) => refer('footnote', attribute('id')),
    endnoteReference: (attribute) => refer('endnote', attribute('id')),
    tbl: () => {
      endCarried()
      blocks.openTable()
    },
    tr: () => blocks.openRow(),
    tc: () => {
      blocks.openCell()
      spans.push(1)
    },
    gridSpan: (attribute) => {
      if (spans.length > 0) spans[spans.length - 1] = Math.min(numberOf(attribute) ?? 1, MAX_SPAN)
    },
  }
  const refer = (kind: keyof typeof counted, id: string | undefined) => {
    const text = context.notes?.get(`${kind} ${id}`)
    const current = paragraph()
    if (text === undefined || !current || !isShown(lookIn(current))) return
    counted[kind] += 1
    const mark = kind === 'footnote' ? `[сноска ${counted.footnote}]` : `[концевая сноска ${counted.endnote}]`
    current.text += mark
    current.notes.push({ mark, text })
  }
  const open = (name: string, attribute: Attributes) => {
    if (isDeletion(name)) {
      if (paragraph()?.isInMark) assign(paragraph(), { isOpen: true })
      deleted += 1
      return
    }
    if (name === 'oMath') formula ??= createFormula()
    if (formula && name !== 'oMath') formula.open(name, attribute)
    else if (name === 'p') {
      paragraphs.push(newParagraph(styles.lookOf(null)))
      run = null
    } else if (name === 'r') run = { style: null, look: {} }
    else if (name === 'footnote' || name === 'endnote') {
      ;[note, blocks] = [
        /separator|notice/i.test(attribute('type') ?? '') ? null : `${name} ${attribute('id')}`,
        createBlocks(),
      ]
    } else {
      if (run) addLook(run.look, name, attribute)
      properties[name]?.(attribute)
      content[name]?.(attribute)
    }
    if (name === 'rPr' && !run && !formula) assign(paragraph(), { isInMark: true })
    isText = name === 't'
  }
  const close = (name: string) => {
    isText = false
    if (isDeletion(name)) deleted -= 1
    else if (name === 'oMath' && formula) {
      const text = formula.end()
      formula = null
      write(text)
    } else if (formula) formula.close()
    else if (name === 'r') run = null
    else if (name === 'rPr') assign(paragraph(), { isInMark: false })
    else if (name === 'checkBox' && box) {
      write(box)
      box = null
    } else if (name === 'tc') {
      endCarried()
      for (let span = spans.pop() ?? 1; span > 1; span -= 1) blocks.openCell()
    } else if (name === 'tbl') blocks.closeTable()
    else if (name === 'p') endParagraph()
    else if (name === 'footnote' || name === 'endnote') {
      if (note !== null) notes.set(note, blocks.text())
    }
  }
  const endParagraph = () => {
    const ended = paragraphs.pop()
    // What follows a text box in its paragraph belongs to a run that was not closed yet.
    run = paragraphs.length > 0 ? { style: null, look: {} } : null
    if (!ended) return
    const before = carried
    carried = null
    const text = (before?.text ?? '') + ended.text
    // The number of a heading that goes on in the line of its clause is its own; a deleted end has none.
    const of = before?.of.isEndHidden && before.text.trim() !== '' ? before.of : ended
    const notes = [...(before?.notes ?? []), ...ended.notes]
    if (ended.isOpen && paragraphs.length === 0) carried = { text, of, notes }
    else add({ text, of, notes })
  }
  const endCarried = () => {
    if (carried) add(carried)
    carried = null
  }
  const add = ({ text, of, notes }: Carried) => {
    const { outline, style } = of
    const heading = outline === null ? styles.headingOf(style) : outline >= BODY_TEXT ? null : outline + 1
    blocks.paragraph(text, { heading, item: labelOf?.(of) ?? null, notes })
  }
  readXml(xml, {
    skip: skipped,
    open,
    close,
    text: (text) => {
      if (formula && isText) formula.text(text)
      else if (isText) write(text)
    },
  })
  endCarried()
  return { text: blocks.text(), notes }
}

interface Carried {
  text: string
  of: Paragraph
  notes: Note[]
}

const newParagraph = (look: Look): Paragraph => ({
  ...{ text: '', notes: [], style: null, outline: null, look, isOpen: false, isEndHidden: false, isInMark: false },
})

const assign = <Target extends object>(target: Target | null | undefined, values: Partial<Target>) =>
  target ? Object.assign(target, values) : undefined
