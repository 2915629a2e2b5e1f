import type { HelpHeading } from '#contract/help.ts'
import { escapeHtml } from '#server/lib/html.ts'
import { headingId } from './heading-id.ts'
import { type Block, readBlocks } from './markdown-blocks.ts'
import { readInline } from './markdown-inline.ts'

/** A stretch of a page under one heading, as text to search in. */
export interface Part {
  heading: HelpHeading | null
  text: string
}

export interface Rendered {
  html: string
  headings: HelpHeading[]
  links: string[]
  /** The beginning of the page first, then each heading with what stands under it. */
  parts: [beginning: Part, ...rest: Part[]]
}

/** Markdown of our own pages as HTML. Throws at whatever the subset does not know. */
export function renderMarkdown(source: string): Rendered {
  const beginning: Part = { heading: null, text: '' }
  const page: Rendered = { html: '', headings: [], links: [], parts: [beginning] }
  page.html = readBlocks(source)
    .map((block) => renderBlock(block, page))
    .join('\n')
  return page
}

function renderBlock(block: Block, page: Rendered): string {
  switch (block.type) {
    case 'heading':
      return renderHeading(block, page)
    case 'paragraph':
      return `<p>${inline(block.text, page)}</p>`
    case 'list': {
      const items = block.items.map((item) => `<li>${inline(item, page)}</li>`).join('')
      if (!block.ordered) return `<ul>${items}</ul>`
      return block.start === 1 ? `<ol>${items}</ol>` : `<ol start="${block.start}">${items}</ol>`
    }
    case 'table':
      return renderTable(block, page)
    case 'quote':
      return `<blockquote>${block.blocks.map((inner) => renderBlock(inner, page)).join('')}</blockquote>`
    case 'code':
      read(block.text, page)
      return `<pre tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`
    case 'rule':
      return '<hr>'
  }
}

/** The link to the heading stands beside it, so that the heading is read out as it is. */
function renderHeading({ level, text: source }: Extract<Block, { type: 'heading' }>, page: Rendered): string {
  const { html, text, links } = readInline(source)
  const heading = { id: headingId(text, new Set(page.headings.map(({ id }) => id))), text, level }
  page.headings.push(heading)
  page.links.push(...links)
  page.parts.push({ heading, text: '' })
  const label = escapeHtml(`Ссылка на раздел «${text}»`)
  return `<div data-heading><h${level} id="${heading.id}">${html}</h${level}><a href="#${heading.id}" aria-label="${label}">#</a></div>`
}

/** A wide table scrolls inside a box of its own, with the keyboard too. */
function renderTable({ head, rows }: Extract<Block, { type: 'table' }>, page: Rendered): string {
  const top = head.map((cell) => `<th scope="col">${inline(cell, page)}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${inline(cell, page)}</td>`).join('')}</tr>`)
  return `<div data-table role="region" aria-label="Таблица" tabindex="0"><table><thead><tr>${top}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

function inline(source: string, page: Rendered): string {
  const { html, text, links } = readInline(source)
  page.links.push(...links)
  read(text, page)
  return html
}

function read(text: string, page: Rendered): void {
  const part = page.parts.at(-1) ?? page.parts[0]
  part.text = part.text === '' ? text : `${part.text} ${text}`
}
