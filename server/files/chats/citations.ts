import { isObject, listOf, objectOf, textOf } from './values.ts'

/** Marks of sources in texts of ChatGPT: `\uE200cite\uE202turn0search0\uE201` and others of the private use area. */
const MARK = /\uE200([^\uE200\uE201]*)\uE201/g
const LEFT_OVER = /[\uE200-\uE2FF]/g
const OLD_MARK = /【[^【】]{0,200}†[^【】]{0,200}】/g

/** Replaces marks by links where the archive names the pages, and removes the others. */
export function resolveCitations(text: string, metadata: unknown): string {
  const { content_references, citations } = objectOf(metadata)
  const known = new Map<string, string>()
  for (const reference of listOf(content_references)) {
    const { matched_text } = objectOf(reference)
    const mark = textOf(matched_text)
    if (mark.trim() !== '' && !known.has(mark)) known.set(mark, linkOf(reference))
  }
  const old = listOf(citations).flatMap((citation) => {
    const { start_ix, end_ix, metadata: page } = objectOf(citation)
    const link = pageLink(page)
    return typeof start_ix === 'number' && typeof end_ix === 'number' && link !== ''
      ? [{ mark: text.slice(start_ix, end_ix), link }]
      : []
  })
  for (const { mark, link } of old) if (/^【.*】$/s.test(mark) && !known.has(mark)) known.set(mark, link)
  const resolved = text
    .replace(MARK, (mark: string, inner: string) => known.get(mark) ?? plainOf(inner))
    .replace(OLD_MARK, (mark) => known.get(mark) ?? '')
  return resolved.replace(LEFT_OVER, '')
}

/** `alt` is ready Markdown. */
function linkOf(reference: unknown): string {
  const { alt, items, type } = objectOf(reference)
  if (type === 'sources_footnote' || type === 'hidden') return ''
  const ready = textOf(alt).trim()
  if (ready !== '') return withoutCampaign(ready).replace(MARK, '')
  const links = listOf(items).map(pageLink).filter(Boolean)
  return links.length > 0 ? `(${links.join(', ')})` : pageLink(reference)
}

export function pageLink(page: unknown): string {
  if (!isObject(page)) return ''
  const url = webAddress(textOf(page.url))
  if (url === null) return ''
  const title = textOf(page.title) || textOf(page.attribution) || new URL(url).hostname
  return `[${title.replace(/[[\]\n]/g, ' ').trim()}](${url})`
}

export function webAddress(text: string): string | null {
  const address = withoutCampaign(text)
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return null
  // Round brackets would end the link of Markdown.
  return new URL(address).href.replaceAll('(', '%28').replaceAll(')', '%29')
}

const withoutCampaign = (text: string) =>
  text.replace(/([?&])utm_source=chatgpt\.com(&?)/g, (_, before: string, after: string) => (after ? before : ''))

/** What a mark without a known page keeps: the name of a thing, the words of a link. */
function plainOf(inner: string): string {
  const [kind = '', ...parts] = inner.split('\uE202')
  if (kind === 'entity') return nameIn(parts[0] ?? '')
  if (kind !== 'url') return ''
  const [words = '', address = ''] = parts
  const url = webAddress(address)
  return url ? `[${words}](${url})` : words
}

function nameIn(list: string): string {
  try {
    return textOf(listOf(JSON.parse(list))[1])
  } catch {
    return ''
  }
}
