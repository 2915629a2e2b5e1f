import { type Blocks, createBlocks } from '../blocks.ts'
import { createFormula, type Formula } from '../formula.ts'
import { type Attributes, readXml } from '../xml.ts'
import type { ParagraphLabel, ParagraphNumbering } from './numbering.ts'
import { BODY_TEXT, formerProperties, isOn, numberOf, type Styles } from './styles.ts'
import { symbolOf } from './symbols.ts'

export interface BodyContext {
  styles: Styles
  /** Absent for headers and notes, whose numbers do not count with those of the text. */
  labelOf?: ((of: ParagraphNumbering) => ParagraphLabel | null) | undefined
  /** The notes of the document by kind and id; absent inside of them. */
  notes?: ReadonlyMap<string, string> | undefined
}

/** Former properties, the second copy of a text box and the reading of characters are not the text. */
const skipped = new Set([...formerProperties, 'Fallback', 'rt'])
/** What was deleted or moved away while changes were tracked. */
const isDeletion = (name: string) => name === 'del' || name === 'moveFrom'
const MAX_SPAN = 16

interface Paragraph extends ParagraphNumbering {
  text: string
  outline: number | null
  isHidden: boolean | undefined
  /** The end of the paragraph is deleted or hidden: the next one goes on in its line. */
  isOpen: boolean
  isEndHidden: boolean
  isInMark: boolean
}

interface Run {
  style: string | null
  isHidden: boolean | undefined
}

/** The text of a part that has paragraphs and tables, and of each note in it. */
export function readBody(xml: string, context: BodyContext): { text: string; notes: Map<string, string> } {
  const { styles, labelOf } = context
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
    if (current && isShown(current)) current.text += text
  }
  const isShown = (current: Paragraph) =>
    deleted === 0 && !(run?.isHidden ?? (run?.style ? styles.isHidden(run.style) : undefined) ?? current.isHidden)

  const properties: Record<string, (attribute: Attributes) => void> = {
    pStyle: (attribute) => {
      const current = paragraph()
      if (!current) return
      current.style = attribute('val') ?? null
      current.isHidden = styles.isHidden(current.style)
    },
    numId: (attribute) => assign(paragraph(), { numId: attribute('val') }),
    ilvl: (attribute) => assign(paragraph(), { depth: numberOf(attribute) }),
    outlineLvl: (attribute) => assign(paragraph(), { outline: numberOf(attribute) ?? null }),
    rStyle: (attribute) => assign(run, { style: attribute('val') ?? null }),
    vanish: (attribute) => {
      if (run) run.isHidden = isOn(attribute)
      else if (paragraph()?.isInMark && isOn(attribute)) assign(paragraph(), { isOpen: true, isEndHidden: true })
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
    if (text === undefined || !current || !isShown(current)) return
    counted[kind] += 1
    const mark = kind === 'footnote' ? `[сноска ${counted.footnote}]` : `[концевая сноска ${counted.endnote}]`
    write(mark)
    blocks.note(mark, text)
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
      paragraphs.push(newParagraph(styles.isHidden(null)))
      run = null
    } else if (name === 'r') run = { style: null, isHidden: undefined }
    else if (name === 'footnote' || name === 'endnote') {
      ;[note, blocks] = [
        /separator|notice/i.test(attribute('type') ?? '') ? null : `${name} ${attribute('id')}`,
        createBlocks(),
      ]
    } else {
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
    run = paragraphs.length > 0 ? { style: null, isHidden: undefined } : null
    if (!ended) return
    const before = carried
    carried = null
    const text = (before?.text ?? '') + ended.text
    // The number of a heading that goes on in the line of its clause is its own; a deleted end has none.
    const of = before?.of.isEndHidden && before.text.trim() !== '' ? before.of : ended
    if (ended.isOpen && paragraphs.length === 0) carried = { text, of }
    else add(text, of)
  }
  const endCarried = () => {
    if (carried) add(carried.text, carried.of)
    carried = null
  }
  const add = (text: string, of: Paragraph) => {
    const { outline, style } = of
    const heading = outline === null ? styles.headingOf(style) : outline >= BODY_TEXT ? null : outline + 1
    blocks.paragraph(text, { heading, item: labelOf?.(of) ?? null })
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
}

const newParagraph = (isHidden: boolean | undefined): Paragraph => ({
  ...{ text: '', style: null, outline: null, isHidden, isOpen: false, isEndHidden: false, isInMark: false },
})

const assign = <Target extends object>(target: Target | null | undefined, values: Partial<Target>) =>
  target ? Object.assign(target, values) : undefined
