import { convert, type DomNode, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'
import { decodePage, looksLikeText } from './encoding.ts'
import { noNotes, placeNotes } from './html/notes.ts'
import { MAX_INPUT, type Page, parsePage, writePage } from './html/page.ts'
import { tableText } from './markdown-table.ts'
import { type NumberFormat, written } from './numbering.ts'
import { BROKEN, Unreadable } from './rejections.ts'
import { joinParts, type ReadText, tidy, unlessAllStruck } from './text.ts'

const heading: FormatCallback = (element, walk, builder, options) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  builder.addLiteral(`${'#'.repeat(Number(options.level))} `)
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 2 })
}

const row: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 1 })
}

/** A cell becomes one line, whatever it contains. */
const cell: FormatCallback = (element, _walk, builder) => {
  builder.addInline(textOf(element).trim())
  builder.addLiteral('\t')
}

const dropped = ['head', 'script', 'style', 'noscript', 'template', 'iframe', 'object', 'svg', 'img']
const breaking = new Set(['p', 'div', 'br', 'li', 'tr', 'td', 'th'])

function textOf({ name, data, children = [] }: DomNode): string {
  if (data !== undefined) return data
  if (dropped.includes(name ?? '')) return ''
  const inner = children.map(textOf).join('')
  return breaking.has(name ?? '') ? `${inner} ` : inner
}

/** A table that holds another one, headings or long texts only lays out a page. */
const LONGEST_CELL = 1000
const layout = new Set(['table', 'h1', 'h2', 'h3', 'article', 'section', 'main', 'form'])
const lays = ({ name, children = [] }: DomNode): boolean => layout.has(name ?? '') || children.some(lays)

const table: FormatCallback = (element, walk, builder) => {
  const cells = rowsIn(element).map((row) => (row.children ?? []).filter(({ name }) => name === 'td' || name === 'th'))
  const rows = cells.map((row) => row.map((cell) => textOf(cell).trim()))
  const isLayout = (element.children ?? []).some(lays) || rows.flat().some((text) => text.length > LONGEST_CELL)
  builder.openBlock({ leadingLineBreaks: 2 })
  if (isLayout) walk(element.children, builder)
  else {
    const caption = (element.children ?? []).filter(({ name }) => name === 'caption').map((node) => textOf(node).trim())
    for (const line of [...caption, ...tableText(rows).split('\n')]) {
      builder.openBlock({ leadingLineBreaks: 1 })
      builder.addLiteral(line)
      builder.closeBlock({ trailingLineBreaks: 1 })
    }
  }
  builder.closeBlock({ trailingLineBreaks: 2 })
}

const rowsIn = (element: DomNode): DomNode[] =>
  (element.children ?? []).flatMap((child) => (child.name === 'tr' ? [child] : rowsIn(child)))

const formats: Record<string, NumberFormat> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' }
const whole = (value: string | undefined) => (/^\s*-?\d{1,9}\s*$/.test(value ?? '') ? Number(value) : null)

/** Items with the numbers that a browser shows. */
const numberedList: FormatCallback = (element, walk, builder) => {
  const isNested = element.parent?.name === 'li'
  const nodes = (element.children ?? []).filter(
    ({ type, data = '', name }) => name !== 'template' && (type !== 'text' || data.trim() !== ''),
  )
  const attributes: Record<string, string | undefined> = element.attribs ?? {}
  const step = attributes.reversed === undefined ? 1 : -1
  let number = whole(attributes.start) ?? (step > 0 ? 1 : nodes.filter(({ name }) => name === 'li').length)
  const items = nodes.map((node) => {
    if (node.name !== 'li') return { node, prefix: '' }
    const own: Record<string, string | undefined> = node.attribs ?? {}
    number = whole(own.value) ?? number
    const format = formats[own.type ?? attributes.type ?? '']
    const label = format && number > 0 ? written(number, format) : String(number)
    number += step
    return { node, prefix: `${isNested ? '' : ' '}${label}. ` }
  })
  if (items.length === 0) return
  const maxPrefixLength = items.reduce((most, { prefix }) => Math.max(most, prefix.length), 0)
  const breaks = isNested ? 1 : 2
  builder.openList({ interRowLineBreaks: 1, leadingLineBreaks: breaks, maxPrefixLength, prefixAlign: 'left' })
  for (const { node, prefix } of items) {
    builder.openListItem({ prefix })
    walk([node], builder)
    builder.closeListItem()
  }
  builder.closeList({ trailingLineBreaks: breaks })
}

export const htmlOptions: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { heading, table, row, cell, numberedList },
  limits: { maxInputLength: MAX_INPUT * 2, maxDepth: 200 },
  selectors: [
    ...[1, 2, 3, 4, 5, 6].map((level) => ({ selector: `h${level}`, format: 'heading', options: { level } })),
    { selector: 'a', format: 'inline' },
    ...dropped.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'ul', format: 'unorderedList', options: { itemPrefix: '- ' } },
    { selector: 'ol', format: 'numberedList' },
    { selector: 'table', format: 'table' },
    { selector: 'tr', format: 'row' },
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
  ],
}

/** The visible text of a page: headings and tables as Markdown, no scripts, no link addresses. */
export const pageText = (page: Page) => tidy(convert(writePage(page), htmlOptions))

/** The page as it is shown, with its notes after their paragraphs. */
export function shownPage(html: string, keepsStruck: boolean): Page {
  const page = parsePage(html, keepsStruck)
  placeNotes(page, noNotes())
  return page
}

/** In the encoding that the page names. */
export function readHtmlFile(bytes: Uint8Array): ReadText {
  if (!looksLikeText(bytes)) throw new Unreadable(BROKEN)
  const html = decodePage(bytes, null)
  const text = unlessAllStruck((keepsStruck) => pageText(shownPage(html, keepsStruck)))
  return joinParts([{ name: null, text }])
}
