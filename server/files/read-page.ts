import { convert } from 'html-to-text'
import { dayOf } from '#server/lib/day-of.ts'
import { writePage } from './html/page.ts'
import { htmlOptions, shownPage } from './read-html.ts'
import { joinParts, type PageFacts, type ReadText, tidy, unlessAllStruck } from './text.ts'

const nonContentElements = ['nav', 'header', 'footer', 'aside', 'form', 'button', 'select', 'dialog', 'menu']
const notText = [
  ...nonContentElements,
  '[role=navigation]',
  '[role=banner]',
  '[role=contentinfo]',
  '[aria-hidden=true]',
  '[hidden]',
]
/** A body of an article that is shorter is a teaser, and the text is elsewhere on the page. */
const ENOUGH = 400
const MAX_FACT = 300

/** The text of a page of the web, without what surrounds it, and what the page says about itself. */
export function readPage(html: string): ReadText & { about: PageFacts } {
  const about = {
    title: titleOf(html),
    site: oneLine(metaOf(html, ['og:site_name', 'application-name'])),
    date: dateOf(html),
  }
  return {
    ...joinParts([
      { name: null, text: unlessAllStruck((keepsStruck) => textOf(writePage(shownPage(html, keepsStruck)))) },
    ]),
    about,
  }
}

function textOf(html: string): string {
  const candidates = [['article', '[itemprop=articleBody]'], ['main', '[role=main]'], ['body']]
  for (const selectors of candidates) {
    const text = textIn(html, selectors, notText)
    if (text.length >= ENOUGH) return text
  }
  return textIn(html, ['body'], [])
}

/** Removes lines that contain only the sign of a link to the heading beside it. */
const withoutAnchors = (text: string) => text.replace(/^[ \t]*(?:[#¶§]|\\#)[ \t]*$/gm, '')

const textIn = (html: string, selectors: string[], skipped: string[]) =>
  tidy(
    withoutAnchors(
      convert(html, {
        ...htmlOptions,
        baseElements: { selectors, returnDomByDefault: selectors[0] === 'body' },
        selectors: [...(htmlOptions.selectors ?? []), ...skipped.map((selector) => ({ selector, format: 'skip' }))],
      }),
    ),
  )

function titleOf(html: string): string | null {
  const named = metaOf(html, ['og:title', 'twitter:title'])
  return (
    oneLine(named) ??
    oneLine(/<title[^>]{0,200}>([^<]{0,1000})/i.exec(html)?.[1]) ??
    oneLine(/<h1[^>]{0,500}>([\s\S]{0,1000}?)<\/h1>/i.exec(html)?.[1])
  )
}

/** One line of plain text; entities and tags are resolved. */
function oneLine(text: string | null | undefined): string | null {
  if (!text) return null
  const plain = tidy(convert(text, { wordwrap: false, selectors: [{ selector: 'a', format: 'inline' }] }))
  const line = plain.replace(/\s+/g, ' ').trim().slice(0, MAX_FACT)
  return line === '' ? null : line
}

/** The value of the first meta tag with one of these names, in the order of the names. */
function metaOf(html: string, names: string[]): string | null {
  const found = new Map<string, string>()
  for (const [tag] of html.matchAll(/<meta\s[^>]{1,2000}>/gi)) {
    const name = (attribute(tag, 'property') ?? attribute(tag, 'name') ?? attribute(tag, 'itemprop'))?.toLowerCase()
    const content = attribute(tag, 'content')
    if (name && content && !found.has(name)) found.set(name, content)
  }
  return names.map((name) => found.get(name)).find((value) => value !== undefined) ?? null
}

function attribute(tag: string, name: string): string | null {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag)
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null
}

const dateNames = [
  'article:published_time',
  'og:published_time',
  'datepublished',
  'date',
  'dc.date',
  'dcterms.created',
  'pubdate',
  'publish-date',
]

function dateOf(html: string): string | null {
  const time = /<time\s[^>]{1,500}>/i.exec(html)?.[0]
  const inData = /"datePublished"\s*:\s*"([^"]{4,40})"/.exec(html)?.[1]
  for (const value of [metaOf(html, dateNames), inData, time ? attribute(time, 'datetime') : null]) {
    const date = dayOf(value)
    if (date) return date
  }
  return null
}
