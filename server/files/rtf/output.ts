import { createBlocks, type Note } from '../blocks.ts'
import { createFormula, type Formula } from '../formula.ts'
import { MAX_SYMBOLS } from '../text.ts'

const BODY_TEXT = 9
const MAX_LIST_DEPTH = 8
/** A number that is text of a line with a hanging indent. */
const HANGING = /^\s*((?:\d{1,3}|\p{L})[.)])\s+(?=\S)/u

/** Puts together the text of a document, or of a header, a note or a text box in it. */
export function createOutput(kind = 'document') {
  const blocks = createBlocks()
  const counted = { footnote: 0, endnote: 0 }
  let [line, label, depth, heading]: [string, string | null, number, number | null] = ['', null, 0, null]
  let [isInTable, hasTable, hasRow, hasCell, isEndnote] = [false, false, false, false, false]
  let formula: { text: Formula; depth: number } | null = null
  let [list, left, first]: [number | undefined, number, number] = [undefined, 0, 0]
  let notes: Note[] = []
  const hanging: number[] = []

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
    const sign = written ? (/[\p{L}\p{N}]/u.test(written) && written !== 'o' ? written : null) : undefined
    const item = sign === undefined ? hangingItem() : { label: sign, depth, list }
    blocks.paragraph(line, { heading, item, notes })
    ;[line, label, notes] = ['', null, []]
  }
  /** Lists that are lines with hanging indents: how far they begin from the left is how deep they are. */
  const hangingItem = () => {
    const own = first < 0 ? HANGING.exec(line) : null
    if (!own?.[1]) {
      if (first >= 0 && line.trim() !== '') hanging.length = 0
      return null
    }
    while ((hanging.at(-1) ?? 0) > left) hanging.pop()
    if (hanging.at(-1) !== left) hanging.push(left)
    line = line.slice(own[0].length)
    return { label: own[1], depth: Math.min(hanging.length - 1, MAX_LIST_DEPTH) }
  }
  const controls: Record<string, (value: number | null) => void> = {
    par: endParagraph,
    sect: endParagraph,
    pard: () => {
      ;[isInTable, depth, heading, list, left, first] = [hasRow, 0, null, undefined, 0, 0]
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
    ls: (value) => {
      list = value ?? undefined
    },
    li: (value) => {
      left = Math.max(0, value ?? 0)
    },
    fi: (value) => {
      first = value ?? 0
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
      notes.push({ mark, text })
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
