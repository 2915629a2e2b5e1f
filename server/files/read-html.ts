import { convert, type DomNode, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'
import { decodePage, looksLikeText } from './encoding.ts'
import { tableText } from './markdown-table.ts'
import { BROKEN, Unreadable } from './rejections.ts'
import { joinParts, type ReadText, tidy } from './text.ts'

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

export const htmlOptions: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { heading, table, row, cell },
  limits: { maxInputLength: 20 * 1024 * 1024, maxDepth: 200 },
  selectors: [
    ...[1, 2, 3, 4, 5, 6].map((level) => ({ selector: `h${level}`, format: 'heading', options: { level } })),
    { selector: 'a', format: 'inline' },
    ...dropped.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'ul', format: 'unorderedList', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'table' },
    { selector: 'tr', format: 'row' },
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
  ],
}

/** The visible text of a page: headings and tables as Markdown, no scripts, no link addresses. */
export const htmlText = (html: string) => tidy(convert(html, htmlOptions))

/** In the encoding that the page names. */
export function readHtmlFile(bytes: Uint8Array): ReadText {
  if (!looksLikeText(bytes)) throw new Unreadable(BROKEN)
  return joinParts([{ name: null, text: htmlText(decodePage(bytes, null)) }])
}
