import { convert, type DomNode, type FormatCallback, type HtmlToTextOptions } from 'html-to-text'
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

export const htmlOptions: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { heading, row, cell },
  limits: { maxInputLength: 20 * 1024 * 1024, maxDepth: 200 },
  selectors: [
    ...[1, 2, 3, 4, 5, 6].map((level) => ({ selector: `h${level}`, format: 'heading', options: { level } })),
    { selector: 'a', format: 'inline' },
    ...dropped.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'ul', format: 'unorderedList', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'tr', format: 'row' },
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
  ],
}

/** The visible text of a page: headings as Markdown, cells separated by tabs, no scripts, no link addresses. */
export function readHtml(html: string): ReadText {
  return joinParts([{ name: null, text: tidy(convert(html, htmlOptions)) }])
}
