import type { BlockContent, Blockquote, Code, Heading, List, PhrasingContent, RootContent, Table } from 'mdast'
import { noteTitles } from '#contract/markdown/extras.ts'

interface RunStyle {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  code?: boolean
  script?: 'subscript' | 'superscript'
}

/** Text inside of a paragraph as WordprocessingML. */
function runsOf(nodes: PhrasingContent[], style: RunStyle = {}): string {
  return nodes.map((node) => runOf(node, style)).join('')
}

function runOf(node: PhrasingContent, style: RunStyle): string {
  switch (node.type) {
    case 'text':
    case 'html':
      return textRun(node.value, style)
    case 'strong':
      return runsOf(node.children, { ...style, bold: true })
    case 'emphasis':
      return runsOf(node.children, { ...style, italic: true })
    case 'delete':
      return runsOf(node.children, { ...style, strike: true })
    case 'subscript':
    case 'superscript':
      return runsOf(node.children, { ...style, script: node.type })
    case 'inlineCode':
    case 'formula':
      // A formula is written as its source, in the style of code: Word cannot draw TeX.
      return textRun(node.value, { ...style, code: true })
    case 'break':
      return textRun('\n', style)
    case 'link':
      return runsOf(node.children, style) + address(node.url, plainText(node.children), style)
    case 'image':
      return textRun(`[${node.alt || 'картинка'}]`, style) + address(node.url, '', style)
    case 'linkReference':
      return runsOf(node.children, style)
    case 'imageReference':
      return textRun(`[${node.alt || 'картинка'}]`, style)
    case 'footnoteReference':
      return textRun(`[${node.label ?? node.identifier}]`, style)
  }
}

/** Writes the URL behind the text of a link, unless the text is the URL. */
function address(url: string, text: string, style: RunStyle): string {
  const isShown = [url, url.replace(/^(?:mailto:|https?:\/\/)/, '')].includes(text)
  return isShown || url === '' ? '' : textRun(` (${url})`, style)
}

function plainText(nodes: PhrasingContent[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'children' in node ? plainText(node.children) : ''))
    .join('')
}

export function textRun(text: string, style: RunStyle = {}): string {
  const marks = [
    style.code ? '<w:rStyle w:val="InlineCode"/>' : '',
    style.bold ? '<w:b/>' : '',
    style.italic ? '<w:i/>' : '',
    style.strike ? '<w:strike/>' : '',
    style.script ? `<w:vertAlign w:val="${style.script}"/>` : '',
  ].join('')
  const lines = text.split(/\r\n?|\n/).map((line) => (line === '' ? '' : tabbed(line)))
  return `<w:r>${marks === '' ? '' : `<w:rPr>${marks}</w:rPr>`}${lines.join('<w:br/>')}</w:r>`
}

const tabbed = (line: string) =>
  line
    .split('\t')
    .map((part) => (part === '' ? '' : `<w:t xml:space="preserve">${escapeXml(part)}</w:t>`))
    .join('<w:tab/>')

/** Removes control characters and lone surrogates, which XML cannot contain. */
function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}

/** The limit of Word. */
const MAX_COLUMNS = 63
const PAGE_WIDTH = 9026

export interface Nesting {
  lists: Lists
  level: number
  indent: number
  quoted: boolean
}

export const outermost = (lists: Lists): Nesting => ({ lists, level: -1, indent: 0, quoted: false })

export function blocksOf(nodes: readonly RootContent[], nesting: Nesting): string {
  return nodes.map((node) => blockOf(node, nesting)).join('')
}

function blockOf(node: RootContent, nesting: Nesting): string {
  switch (node.type) {
    case 'paragraph':
      return paragraph(runsOf(node.children), nesting)
    case 'heading':
      return heading(node, nesting)
    case 'code':
      return codeBlock(node.value, nesting)
    case 'html':
      return paragraph(textRun(node.value), nesting)
    case 'list':
      return list(node, nesting)
    case 'formulaBlock':
      return paragraph(textRun(node.value, { code: true }) + textRun(node.rest), nesting)
    case 'blockquote':
      return quote(node, nesting)
    case 'thematicBreak':
      return styled('Rule', '', nesting)
    case 'table':
      return table(node, nesting)
    case 'footnoteDefinition':
      return paragraph(textRun(`[${node.label ?? node.identifier}]`), nesting) + blocksOf(node.children, nesting)
    default:
      return ''
  }
}

function quote({ note, children }: Blockquote, nesting: Nesting): string {
  const indent = nesting.indent + (nesting.quoted ? indentOf(0) : 0)
  const inside = { ...nesting, quoted: true, indent }
  const title = note ? paragraph(textRun(noteTitles[note], { bold: true }), inside) : ''
  return title + blocksOf(children, inside)
}

const heading = ({ depth, children }: Heading, nesting: Nesting) => styled(`Heading${depth}`, runsOf(children), nesting)

export function paragraph(runs: string, nesting: Nesting): string {
  return styled(nesting.quoted ? 'Quote' : null, runs, nesting)
}

export const codeBlock = (code: Code['value'], nesting: Nesting) => styled('Code', textRun(code), nesting)

function styled(style: string | null, runs: string, { indent, quoted }: Nesting): string {
  // An explicit indent replaces the one of the style, so that of the quote is added here.
  const left = indent + (quoted ? indentOf(0) : 0)
  const own = `${style ? `<w:pStyle w:val="${style}"/>` : ''}${left > 0 ? `<w:ind w:left="${left}"/>` : ''}`
  return `<w:p>${own === '' ? '' : `<w:pPr>${own}</w:pPr>`}${runs}</w:p>`
}

function list({ ordered, start, children }: List, nesting: Nesting): string {
  const level = deepest(nesting.level + 1)
  const id = ordered ? nesting.lists.count(level, start ?? 1) : BULLET_LIST
  const inside = { ...nesting, level: nesting.level + 1, indent: indentOf(level) }
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

function table({ children: rows, align }: Table, nesting: Nesting): string {
  const columns = Math.max(...rows.map(({ children }) => children.length))
  if (columns > MAX_COLUMNS) {
    const lines = rows.map(({ children }) => children.map((cell) => runsOf(cell.children)).join(textRun(' | ')))
    return lines.map((line) => paragraph(line, nesting)).join('')
  }
  const width = Math.floor((PAGE_WIDTH - nesting.indent) / columns)
  const xml = rows.map(({ children }, row) => {
    const cells = children.map((cell, i) => {
      const side = align?.[i] ? `<w:pPr><w:jc w:val="${align[i]}"/></w:pPr>` : ''
      const runs = runsOf(cell.children, { bold: row === 0 })
      return `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr><w:p>${side}${runs}</w:p></w:tc>`
    })
    // One for all that the row lacks: a short row under a long head would be written many times as long.
    const missing = columns - children.length
    const span = `<w:tcW w:w="${width * missing}" w:type="dxa"/><w:gridSpan w:val="${missing}"/>`
    if (missing > 0) cells.push(`<w:tc><w:tcPr>${span}</w:tcPr><w:p/></w:tc>`)
    return `<w:tr>${row === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${cells.join('')}</w:tr>`
  })
  const grid = `<w:gridCol w:w="${width}"/>`.repeat(columns)
  const own = `<w:tblW w:w="0" w:type="auto"/><w:tblInd w:w="${nesting.indent}" w:type="dxa"/>${BORDERS}`
  // The empty paragraph keeps Word from joining two adjacent tables.
  return `<w:tbl><w:tblPr>${own}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${xml.join('')}</w:tbl><w:p/>`
}

const BORDERS = `<w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="BFBFBF"/>`)
  .join('')}</w:tblBorders>`

const LEVELS = 9
const STEP = 425
const BULLETS = ['•', '◦', '▪']

/** All bullet lists share one definition. */
interface Lists {
  /** Adds a list that counts from `start` on the given level. Returns its id in the document. */
  count: (level: number, start: number) => number
  /** The content of numbering.xml. */
  xml: () => string
}

const BULLET_LIST = 1
const indentOf = (level: number) => STEP * (level + 1)
const deepest = (level: number) => Math.min(level, LEVELS - 1)

export function createLists(): Lists {
  const counted: string[] = []
  return {
    count: (level, start) => {
      const id = counted.length + BULLET_LIST + 1
      const from = `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`
      counted.push(`<w:num w:numId="${id}"><w:abstractNumId w:val="2"/>${from}</w:num>`)
      return id
    },
    xml: () =>
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` +
      `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
      kind(1, (level) => ['bullet', BULLETS[level % BULLETS.length] ?? '']) +
      kind(2, (level) => ['decimal', `%${level + 1}.`]) +
      `<w:num w:numId="${BULLET_LIST}"><w:abstractNumId w:val="1"/></w:num>${counted.join('')}</w:numbering>`,
  }
}

function kind(id: number, signs: (level: number) => [format: string, text: string]): string {
  const levels = Array.from({ length: LEVELS }, (_, level) => {
    const [format, text] = signs(level)
    const indent = `<w:pPr><w:ind w:left="${indentOf(level)}" w:hanging="${STEP}"/></w:pPr>`
    return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/>${indent}</w:lvl>`
  })
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${levels.join('')}</w:abstractNum>`
}
