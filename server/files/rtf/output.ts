import { createBlocks } from '../blocks.ts'
import { createFormula, type Formula } from '../formula.ts'
import { MAX_SYMBOLS } from '../text.ts'

const BODY_TEXT = 9
const MAX_LIST_DEPTH = 8

/** Puts together the text of a document, or of a header, a note or a text box in it. */
export function createOutput(kind = 'document') {
  const blocks = createBlocks()
  const counted = { footnote: 0, endnote: 0 }
  let [line, label, depth, heading]: [string, string | null, number, number | null] = ['', null, 0, null]
  let [isInTable, hasTable, hasRow, hasCell, isEndnote] = [false, false, false, false, false]
  let formula: { text: Formula; depth: number } | null = null

  const endTable = () => {
    if (hasTable) blocks.closeTable()
    ;[hasTable, hasRow, hasCell] = [false, false, false]
  }
  const openCell = () => {
    if (!hasTable) blocks.openTable()
    if (!hasRow) blocks.openRow()
    if (!hasCell) blocks.openCell()
    ;[hasTable, hasRow, hasCell] = [true, true, true]
  }
  const endParagraph = () => {
    if (line.trim() !== '') {
      if (isInTable) openCell()
      else endTable()
    }
    const written = label?.replace(/\s+/g, ' ').trim()
    // A list without numbers has a sign for each item.
    const item = written ? { label: /[\p{L}\p{N}]/u.test(written) && written !== 'o' ? written : null, depth } : null
    blocks.paragraph(line, { heading, item })
    ;[line, label] = ['', null]
  }
  const controls: Record<string, (value: number | null) => void> = {
    par: endParagraph,
    sect: endParagraph,
    pard: () => {
      ;[isInTable, depth, heading] = [hasRow, 0, null]
    },
    trowd: () => {
      isInTable = true
    },
    intbl: () => {
      isInTable = true
    },
    cell: () => {
      isInTable = true
      openCell()
      endParagraph()
      hasCell = false
    },
    row: () => {
      ;[hasRow, hasCell, isInTable] = [false, false, false]
    },
    ilvl: (value) => {
      depth = Math.min(Math.max(value ?? 0, 0), MAX_LIST_DEPTH)
    },
    outlinelevel: (value) => {
      heading = value !== null && value >= 0 && value < BODY_TEXT ? value + 1 : null
    },
    ftnalt: () => {
      isEndnote = true
    },
  }
  controls.nestcell = controls.cell ?? endParagraph
  controls.nestrow = controls.row ?? endParagraph

  const write = (text: string, isLabel = false) => {
    if (formula) formula.text.text(text)
    else if (isLabel) label = ((label ?? '') + text).slice(0, 100)
    else if (line.length <= MAX_SYMBOLS) line += text
  }
  return {
    kind,
    write,
    control: (word: string, value: number | null) => controls[word]?.(value),
    beginLabel: () => {
      label = ''
    },
    isEndnote: () => isEndnote,
    /** A note stands after its paragraph, with a mark where it belongs. */
    addNote: (text: string, isAtEnd: boolean) => {
      const of = isAtEnd ? 'endnote' : 'footnote'
      counted[of] += 1
      const mark = `[${isAtEnd ? 'концевая сноска' : 'сноска'} ${counted[of]}]`
      write(mark)
      blocks.note(mark, text)
    },
    addBox: (text: string) => blocks.paragraph(text),
    isFormula: () => formula !== null,
    openFormula: () => {
      if (formula) return false
      formula = { text: createFormula(), depth: 0 }
      return true
    },
    openMath: (name: string) => {
      if (!formula) return
      formula.depth += 1
      formula.text.open(name, () => undefined)
    },
    /** Ends a part of a formula, or the formula itself. */
    closeMath: () => {
      if (!formula) return false
      if (formula.depth > 0) {
        formula.depth -= 1
        formula.text.close()
        return true
      }
      const written = formula.text.end()
      formula = null
      write(written)
      return true
    },
    text: () => {
      endParagraph()
      endTable()
      return blocks.text()
    },
  }
}

export type Output = ReturnType<typeof createOutput>
