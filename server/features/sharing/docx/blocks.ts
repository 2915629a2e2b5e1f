import type { BlockContent, Code, Heading, List, RootContent, Table } from 'mdast'
import { BULLET_LIST, deepest, indentOf, type Lists } from './lists.ts'
import { runsOf, textRun } from './runs.ts'

/** Word refuses a table with more columns. */
const MAX_COLUMNS = 63
const PAGE_WIDTH = 9026

/** Where a block stands: inside of how many lists and quotes. */
export interface Place {
  lists: Lists
  level: number
  indent: number
  quoted: boolean
}

export const outermost = (lists: Lists): Place => ({ lists, level: -1, indent: 0, quoted: false })

export function blocksOf(nodes: readonly RootContent[], place: Place): string {
  return nodes.map((node) => blockOf(node, place)).join('')
}

function blockOf(node: RootContent, place: Place): string {
  switch (node.type) {
    case 'paragraph':
      return paragraph(runsOf(node.children), place)
    case 'heading':
      return heading(node, place)
    case 'code':
      return codeBlock(node.value, place)
    case 'html':
      return paragraph(textRun(node.value), place)
    case 'list':
      return list(node, place)
    case 'blockquote':
      return blocksOf(node.children, {
        ...place,
        quoted: true,
        indent: place.indent + (place.quoted ? indentOf(0) : 0),
      })
    case 'thematicBreak':
      return styled('Rule', '', place)
    case 'table':
      return table(node, place)
    case 'footnoteDefinition':
      return paragraph(textRun(`[${node.label ?? node.identifier}]`), place) + blocksOf(node.children, place)
    default:
      return ''
  }
}

const heading = ({ depth, children }: Heading, place: Place) => styled(`Heading${depth}`, runsOf(children), place)

export function paragraph(runs: string, place: Place): string {
  return styled(place.quoted ? 'Quote' : null, runs, place)
}

export const codeBlock = (code: Code['value'], place: Place) => styled('Code', textRun(code), place)

function styled(style: string | null, runs: string, { indent, quoted }: Place): string {
  // A style has an indent of its own, so a quote inside of something says it anew.
  const left = indent + (quoted ? indentOf(0) : 0)
  const own = `${style ? `<w:pStyle w:val="${style}"/>` : ''}${left > 0 ? `<w:ind w:left="${left}"/>` : ''}`
  return `<w:p>${own === '' ? '' : `<w:pPr>${own}</w:pPr>`}${runs}</w:p>`
}

function list({ ordered, start, children }: List, place: Place): string {
  const level = deepest(place.level + 1)
  const id = ordered ? place.lists.count(level, start ?? 1) : BULLET_LIST
  const inside = { ...place, level: place.level + 1, indent: indentOf(level) }
  const mark = `<w:pPr><w:pStyle w:val="ListParagraph"/><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>`
  return children
    .map(({ checked, children: blocks }) => {
      const box = typeof checked === 'boolean' ? textRun(checked ? '☑ ' : '☐ ') : ''
      const [first, ...rest] = blocks
      const leads = first?.type === 'paragraph'
      const runs = box + (leads ? runsOf(first.children) : '')
      return `<w:p>${mark}${runs}</w:p>${blocksOf(leads ? rest : (blocks as BlockContent[]), inside)}`
    })
    .join('')
}

function table({ children: rows, align }: Table, place: Place): string {
  const columns = Math.max(...rows.map(({ children }) => children.length))
  if (columns > MAX_COLUMNS) {
    const lines = rows.map(({ children }) => children.map((cell) => runsOf(cell.children)).join(textRun(' | ')))
    return lines.map((line) => paragraph(line, place)).join('')
  }
  const width = Math.floor((PAGE_WIDTH - place.indent) / columns)
  const xml = rows.map(({ children }, row) => {
    const cells = Array.from({ length: columns }, (_, i) => {
      const side = align?.[i] ? `<w:pPr><w:jc w:val="${align[i]}"/></w:pPr>` : ''
      const runs = runsOf(children[i]?.children ?? [], { bold: row === 0 })
      return `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr><w:p>${side}${runs}</w:p></w:tc>`
    })
    return `<w:tr>${row === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${cells.join('')}</w:tr>`
  })
  const grid = `<w:gridCol w:w="${width}"/>`.repeat(columns)
  const own = `<w:tblW w:w="0" w:type="auto"/><w:tblInd w:w="${place.indent}" w:type="dxa"/>${BORDERS}`
  // Two tables in a row would become one.
  return `<w:tbl><w:tblPr>${own}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${xml.join('')}</w:tbl><w:p/>`
}

const BORDERS = `<w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="BFBFBF"/>`)
  .join('')}</w:tblBorders>`
