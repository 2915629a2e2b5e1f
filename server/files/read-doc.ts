import { createBlocks, type Note as TextNote } from './blocks.ts'
import { readCompoundFile } from './cfb.ts'
import { readEquation } from './doc/equation.ts'
import { createDocLabels } from './doc/lists.ts'
import { createProperties, type DocProperties } from './doc/paragraphs.ts'
import { readPieces } from './doc/pieces.ts'
import { tableBytes, tables } from './doc/properties.ts'
import { readDocStyles } from './doc/styles.ts'
import { markRaised } from './raised.ts'
import { BROKEN, LOCKED, OLD_WORD, Unreadable } from './rejections.ts'
import { joinParts, type ReadText, tidy, unlessAllStruck } from './text.ts'

const WORD_97 = 193
const ENCRYPTED = 0x0100
const SECOND_TABLE = 0x0200

const MAX_FORMULAS = 1000

/** Lengths of the parts, which follow each other: the sixth has comments of readers, the fourth macros. */
const PARTS = 8

/** The text of a document of Word 97–2003: its main part with numbers, tables and notes, headers and footers. */
export function readDoc(bytes: Uint8Array): ReadText {
  const stream = readCompoundFile(bytes)
  const main = stream('WordDocument')
  if (!main || main.length < 0x200 || main.readUInt16LE(0) !== 0xa5ec) throw new Unreadable(BROKEN)
  if (main.readUInt16LE(2) < WORD_97) throw new Unreadable(OLD_WORD)
  const flags = main.readUInt16LE(10)
  if (flags & ENCRYPTED) throw new Unreadable(LOCKED)
  const table = stream(flags & SECOND_TABLE ? '1Table' : '0Table')
  if (!table) return joinParts([])
  const of = (at: number) => tableBytes(main, table, at)
  const styleOf = readDocStyles(of(tables.styles))
  const properties = createProperties(main, of, readPieces(main, table), styleOf)
  const starts = [0]
  for (let part = 0; part < PARTS; part += 1)
    starts.push((starts[part] ?? 0) + Math.max(0, main.readInt32LE(0x4c + part * 4)))
  const range = (part: number): Range => [starts[part] ?? 0, starts[part + 1] ?? 0]

  const notes = new Map([
    ...notesOf(properties, { name: 'сноска', part: 1 }, of(tables.noteMarks), of(tables.noteTexts), range(1)),
    ...notesOf(
      properties,
      { name: 'концевая сноска', part: 5 },
      of(tables.endnoteMarks),
      of(tables.endnoteTexts),
      range(5),
    ),
  ])
  // Levels stand behind the table of lists and are not counted in its length.
  const lists = main.length >= tables.lists + 8 ? main.readUInt32LE(tables.lists) : 0
  const listBytes = of(tables.lists).length
  const listTable = listBytes > 0 ? table.subarray(lists) : Buffer.alloc(0)
  const formulas = new Map<number, string>()
  const formulaOf = (object: number) => {
    const known = formulas.get(object)
    if (known !== undefined) return known
    const equation = formulas.size < MAX_FORMULAS ? stream('Equation Native', `_${object}`) : null
    const formula = equation ? readEquation(equation) : ''
    formulas.set(object, formula)
    return formula
  }
  const body = unlessAllStruck((keepsStruck) => {
    const labelOf = createDocLabels(listTable, listBytes, of(tables.listUses))
    return layOut(properties, range(0), { notes, labelOf, formulaOf, keepsStruck })
  })
  const [margins, boxes, aroundBoxes] = [range(2), range(6), range(7)].map((part) => layOut(properties, part, {}))
  // Without a table of their places notes stand after the text.
  const loose = [1, 5].map((part) =>
    [...notes.values()].some((note) => note.part === part) ? '' : layOut(properties, range(part), {}),
  )
  const lines = `${margins}\n${aroundBoxes}`.split('\n').map((line) => line.trim())
  const repeated = [...new Set(lines)].filter((line) => /\p{L}|\d.*\d/u.test(line)).join('\n')
  const shown = [repeated, body, boxes, ...loose].filter((part) => part?.trim())
  return joinParts([{ name: null, text: tidy(shown.join('\n\n')) }])
}

type Range = [from: number, to: number]

interface Note extends TextNote {
  part: number
}

interface Shown {
  /** By the place of their marks. */
  notes?: ReadonlyMap<number, Note>
  labelOf?: ReturnType<typeof createDocLabels>
  /** The formula in an object of the file; empty for other objects. */
  formulaOf?: (object: number) => string
  keepsStruck?: boolean
}

const positionsIn = (bytes: Buffer, count: number) =>
  Array.from({ length: Math.min(Math.max(count, 0), bytes.length >> 2) }, (_, at) => bytes.readUInt32LE(at * 4))

/** The table of marks has a word for each besides its place; that of texts has places only. */
function notesOf(
  properties: DocProperties,
  { name, part }: { name: string; part: number },
  marks: Buffer,
  texts: Buffer,
  [from, to]: Range,
) {
  const places = positionsIn(marks, Math.floor((marks.length - 4) / 6))
  const starts = positionsIn(texts, texts.length >> 2)
  let last = from
  return places.map((place, n): [number, Note] => {
    // Notes that overlap would be read again and again.
    const [start, end] = [Math.max(last, from + (starts[n] ?? 0)), Math.min(to, from + (starts[n + 1] ?? 0))]
    last = Math.max(last, end)
    return [place, { part, mark: `[${name} ${n + 1}]`, text: layOut(properties, [start, end], {}) }]
  })
}

/** Characters that stand for something else. */
const [CELL, FIELD, RESULT, FIELD_END] = ['\u0007', '\u0013', '\u0014', '\u0015']
const ends = new Set(['\r', '\u000c', '\u000e', CELL])
const written: Record<string, string> = { '\u000b': '\n', '\u001e': '-', '\u001f': '', '\t': ' ' }

/** Paragraphs and tables of a part. A field is its code, a separator and its result: only the result is text. */
function layOut(properties: DocProperties, [from, to]: Range, shown: Shown): string {
  const { notes, labelOf, formulaOf, keepsStruck = false } = shown
  const blocks = createBlocks()
  const isCode: boolean[] = []
  let [line, codes, table]: [string, number, 'none' | 'row' | 'between'] = ['', 0, 'none']
  let ofLine: Note[] = []
  const endTable = () => {
    if (table !== 'none') blocks.closeTable()
    table = 'none'
  }
  const openRow = () => {
    if (table === 'none') blocks.openTable()
    if (table !== 'row') {
      blocks.openRow()
      blocks.openCell()
    }
    table = 'row'
  }
  const { text } = properties
  for (let at = from; at < Math.min(to, text.length); at += 1) {
    const sign = text.charAt(at)
    if (sign === FIELD) {
      isCode.push(true)
      codes += 1
    } else if (sign === RESULT) {
      if (isCode.at(-1)) codes -= 1
      isCode[isCode.length - 1] = false
      const object = codes === 0 && properties.isShown(at) ? properties.objectAt(at) : null
      if (object !== null) line += formulaOf?.(object) ?? ''
    } else if (sign === FIELD_END) {
      if (isCode.pop()) codes -= 1
    } else if (ends.has(sign) && properties.isShown(at)) {
      const paragraph = properties.paragraphAt(at)
      if (paragraph.isRowEnd) {
        // The sign of the row ends no cell.
        openRow()
        table = 'between'
        line = ''
        continue
      }
      if (paragraph.isInTable || sign === CELL) openRow()
      else endTable()
      const { style, heading } = paragraph
      blocks.paragraph(line, { heading: heading ?? style.heading, item: labelOf?.(paragraph) ?? null, notes: ofLine })
      ;[line, ofLine] = ['', []]
      if (sign === CELL && !properties.paragraphAt(at + 1).isRowEnd) blocks.openCell()
    } else if (codes === 0 && properties.isShown(at) && (keepsStruck || !properties.isStruck(at))) {
      const note = notes?.get(at)
      if (note) {
        line += note.mark
        ofLine.push(note)
      }
      line += markRaised(written[sign] ?? (sign < ' ' ? '' : sign), properties.raisedAt(at))
    }
  }
  endTable()
  blocks.paragraph(line, { notes: ofLine })
  return blocks.text()
}
