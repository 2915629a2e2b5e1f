import type { List, Nodes, PhrasingContent, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { HelpHeading } from '#contract/help.ts'
import { escapeHtml } from '#server/lib/html.ts'

/** The text of a page from one heading to the next, for the search. */
export interface Part {
  heading: HelpHeading | null
  text: string
}

export interface Rendered {
  html: string
  headings: HelpHeading[]
  links: string[]
  /** Addresses of pictures. */
  images: string[]
  /** What stands before the first heading, then one part for each heading. */
  parts: [beginning: Part, ...rest: Part[]]
}

interface Page extends Rendered {
  source: string
}

/**
 * Renders the subset of Markdown that help pages are written in. Everything else throws, because a mark that is not
 * supported would be shown to the reader as it is.
 */
export function renderMarkdown(markdown: string): Rendered {
  const source = markdown.replaceAll('\r\n', '\n')
  const { children } = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const page: Page = { source, html: '', headings: [], links: [], images: [], parts: [{ heading: null, text: '' }] }
  const html = renderBlocks(children, page).join('\n')
  const { headings, links, images, parts } = page
  return { html, headings, links, images, parts }
}

/** Without the closing # that Markdown allows. */
const HEADING = /^#{2,3} +(?!#|.* #+$)\S/
const ITEM = /^(?:-|\d+\.) +\S.*(?:\n(?:> )* {2,}\S.*)*$/
/** A line of a paragraph that begins like a block: Markdown takes it for text, the author meant a list or a table. */
const BLOCK_MARK = /^ *(?:[-+*] |[>|#<]|[-=]+$|\d+[.)] |:::|```|~~~)/m

function renderBlocks(blocks: RootContent[], page: Page): string[] {
  return blocks.map((block, i) => {
    const before = blocks[i - 1]
    const isClose = before && lineOf(block) - lineOf(before, 'end') < 2
    if (isClose) throw new Error(`an empty line is needed before: ${firstLine(block, page)}`)
    if (!/(?:^|\n)(?:> ?)*$/.test(page.source.slice(0, block.position?.start.offset)))
      throw new Error(`a block begins without spaces: ${firstLine(block, page)}`)
    return renderBlock(block, page)
  })
}

function renderBlock(block: RootContent, page: Page): string {
  switch (block.type) {
    case 'heading':
      requireSource(block, page, HEADING, 'a heading is ## or ### and a text')
      return renderHeading(block.depth, block.children, page)
    case 'paragraph':
      if (block.children[0]?.type === 'image') return renderImage(block.children, page)
      if (BLOCK_MARK.test(sourceOf(block, page))) throw new Error(`no such block: ${firstLine(block, page)}`)
      return `<p>${renderInline(block.children, page)}</p>`
    case 'list':
      return renderList(block, page)
    case 'table':
      return renderTable(block, page)
    case 'blockquote':
      requireSource(block, page, /^>.*(?:\n>.*)*$/, 'every line of a quote begins with >')
      return `<blockquote>${renderBlocks(block.children, page).join('')}</blockquote>`
    case 'code':
      requireSource(block, page, /^```\w*\n(?:[\s\S]*\n)?```$/, 'code stands between ``` and ```')
      if (block.lang === 'form') return renderForm(block.value, page)
      addText(block.value, page)
      return `<div data-code><pre tabindex="0"><code>${escapeHtml(block.value)}</code></pre>${COPY}</div>`
    case 'thematicBreak':
      requireSource(block, page, /^---$/, 'a rule is ---')
      return '<hr>'
    default:
      throw new Error(`no such block: ${firstLine(block, page)}`)
  }
}

/** The page copies the code beside the button. */
const COPY = '<button type="button" data-copy>Копировать</button>'

/** The name says the size: «name-640x400-hash.webp», with a twin «…-dark.webp». */
const IMAGE = /^\/assets\/help\/[a-z0-9-]+-(\d+)x(\d+)-[0-9a-f]{8}\.webp$/

/** A picture for each theme; the browser loads the one that is shown. */
function renderImage([image, ...more]: PhrasingContent[], page: Page): string {
  const [, width, height] = image?.type === 'image' ? (IMAGE.exec(image.url) ?? []) : []
  if (image?.type !== 'image' || !width || !height || !image.alt || more.length > 0)
    throw new Error('a picture is ![what it shows](/assets/help/name-640x400-hash.webp), alone in its paragraph')
  const dark = image.url.replace(/\.webp$/, '-dark.webp')
  page.images.push(image.url, dark)
  addText(image.alt, page)
  const text = escapeHtml(image.alt)
  const shown = [image.url, dark].map(
    (url, i) =>
      `<img src="${url}" data-shown="${i === 0 ? 'light' : 'dark'}" alt="${text}" width="${width}" height="${height}" loading="lazy" decoding="async">`,
  )
  return `<figure>${shown.join('')}<figcaption aria-hidden="true">${text}</figcaption></figure>`
}

/** A drawing of a form of another program: its title, then «field = value» by lines. */
function renderForm(source: string, page: Page): string {
  const [title = '', ...lines] = source.split('\n')
  const rows = lines.map((line) => {
    const [, name, value] = /^([^=]+) = (.+)$/.exec(line) ?? []
    if (!name || !value) throw new Error(`a line of a form is field = value: ${line}`)
    addText(`${name}: ${value}`, page)
    const copy = value.includes('%BASE_URL%') ? COPY : ''
    return `<div><dt>${escapeHtml(name)}</dt><dd><code>${escapeHtml(value)}</code>${copy}</dd></div>`
  })
  return `<figure data-form><p>${escapeHtml(title)}</p><dl>${rows.join('')}</dl><figcaption>Рисунок: что вписать в форму программы</figcaption></figure>`
}

function renderList(list: List, page: Page): string {
  const items = list.children.map((item) => {
    const [paragraph, ...more] = item.children
    requireSource(item, page, ITEM, 'an item begins with - or 1. and continues indented')
    const isTask = typeof item.checked === 'boolean'
    if (paragraph?.type !== 'paragraph' || more.length > 0 || isTask || list.spread)
      throw new Error(`an item is one paragraph: ${firstLine(item, page)}`)
    return `<li>${renderBlock(paragraph, page).slice('<p>'.length, -'</p>'.length)}</li>`
  })
  const start = list.start && list.start !== 1 ? ` start="${list.start}"` : ''
  return list.ordered ? `<ol${start}>${items.join('')}</ol>` : `<ul>${items.join('')}</ul>`
}

/** The link is outside the heading, so that a screen reader reads the heading without it. */
function renderHeading(level: number, children: PhrasingContent[], page: Page): string {
  const { html, text } = inline(children, page)
  const heading = { id: headingId(text, new Set(page.headings.map(({ id }) => id))), text, level }
  page.headings.push(heading)
  page.parts.push({ heading, text: '' })
  const label = escapeHtml(`Ссылка на раздел «${text}»`)
  return `<div data-heading><h${level} id="${heading.id}">${html}</h${level}><a href="#${heading.id}" aria-label="${label}">#</a></div>`
}

const cyrillic = [...'абвгдеёжзийклмнопрстуфхцчшщъыьэюя']
const latin = 'a b v g d e e zh z i y k l m n o p r s t u f h ts ch sh sch  y  e yu ya'.split(' ')
const latinOf = new Map(cyrillic.map((character, i) => [character, latin[i] ?? '']))

/** Ids are transliterated, because browsers copy a Cyrillic address as percent codes. */
function headingId(text: string, taken: ReadonlySet<string>): string {
  const spelled = [...text.toLowerCase()].map((character) => latinOf.get(character) ?? character).join('')
  const name = spelled.match(/[a-z0-9]+/g)?.join('-') ?? 'section'
  let id = name
  for (let n = 2; taken.has(id); n += 1) id = `${name}-${n}`
  return id
}

/** A wide table scrolls in a box that can have the focus, so that the keyboard scrolls it too. */
function renderTable(table: Table, page: Page): string {
  const [head, ...rows] = table.children.map((row) => {
    requireSource(row, page, /^\|.*\|$/, 'a row begins and ends with |')
    return row.children.map((cell) => renderInline(cell.children, page))
  })
  const isUneven = rows.some((row) => row.length !== head?.length)
  if (isUneven) throw new Error(`rows differ in length: ${firstLine(table, page)}`)
  if (table.align?.some(Boolean)) throw new Error(`columns cannot be aligned: ${firstLine(table, page)}`)
  const top = head?.map((cell) => `<th scope="col">${cell}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<div data-table role="region" aria-label="Таблица" tabindex="0"><table><thead><tr>${top}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

function renderInline(children: PhrasingContent[], page: Page): string {
  const { html, text } = inline(children, page)
  addText(text, page)
  return html
}

function inline(children: PhrasingContent[], page: Page): { html: string; text: string } {
  const parts = children.map((node) => inlineNode(node, page))
  return { html: parts.map(({ html }) => html).join(''), text: parts.map(({ text }) => text).join('') }
}

/** Marks that Markdown left in a text, such as a ** that nothing closes. */
const leftover = /[`*[\]\\]|<[a-z/!]|~~|https?:\/\/|(?:^|[\s(«])_\S/i

function inlineNode(node: PhrasingContent, page: Page): { html: string; text: string } {
  switch (node.type) {
    case 'text': {
      const text = node.value.replaceAll('\n', ' ')
      // An escape or an entity is the only way for the text to differ from its source.
      const isPlain = sourceOf(node, page).replace(/\n[> ]*/g, ' ') === text
      if (!isPlain || leftover.test(text)) throw new Error(`no such mark: ${text}`)
      return { html: escapeHtml(typeset(text)), text }
    }
    case 'inlineCode':
      return { html: `<code>${escapeHtml(node.value)}</code>`, text: node.value }
    case 'strong':
    case 'emphasis': {
      requireSource(node, page, /^\*/, 'bold is ** and italic is *')
      const { html, text } = inline(node.children, page)
      const tag = node.type === 'strong' ? 'strong' : 'em'
      return { html: `<${tag}>${html}</${tag}>`, text }
    }
    case 'link': {
      // This also refuses bare addresses, titles, escapes and entities.
      if (!sourceOf(node, page).endsWith(`](${node.url})`))
        throw new Error(`a link is [text](address): ${sourceOf(node, page)}`)
      const { html, text } = inline(node.children, page)
      page.links.push(node.url)
      return { html: `<a ${linkAttributes(node.url)}>${html}</a>`, text }
    }
    default:
      throw new Error(`no such mark: ${sourceOf(node, page)}`)
  }
}

function linkAttributes(address: string): string {
  const href = `href="${escapeHtml(address)}"`
  if (/^https?:\/\//.test(address)) return `${href} target="_blank" rel="noopener nofollow"`
  if (/^(?:\/(?!\/)|#|mailto:[\w.+-]+@[\w.-]+$)/.test(address)) return href
  throw new Error(`a link may lead to http, https, / or #, not to ${address}`)
}

/** Digits of one number stay on one line, and no line begins with a dash. */
function typeset(text: string): string {
  return text.replace(/(?<=\d) (?=\d{3}(?!\d))/g, '\u202f').replace(/ (?=[—–] )/g, '\u00a0')
}

function addText(text: string, page: Page): void {
  const part = page.parts.at(-1) ?? page.parts[0]
  part.text = part.text === '' ? text : `${part.text} ${text}`
}

function requireSource(node: Nodes, page: Page, form: RegExp, rule: string): void {
  if (!form.test(sourceOf(node, page))) throw new Error(`${rule}: ${firstLine(node, page)}`)
}

function sourceOf({ position }: Nodes, { source }: Page): string {
  return source.slice(position?.start.offset, position?.end.offset)
}

const firstLine = (node: Nodes, page: Page) => sourceOf(node, page).split('\n')[0]
const lineOf = ({ position }: Nodes, end: 'start' | 'end' = 'start') => position?.[end].line ?? 0
