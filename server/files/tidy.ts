/** A part of a document: a page, a sheet, or the whole document without a name. */
export interface DocumentPart {
  name: string | null
  text: string
}

export interface ReadText {
  content: string
  /** The offsets in the content at which named parts begin. */
  pages: { name: string; offset: number }[]
}

export const MAX_SYMBOLS = 2_000_000
const CUT_NOTE = '\n\n[Файл прочитан не до конца: взяты первые 2 000 000 символов.]'

/** Normalises characters and line ends and removes invisible ones. Spaces inside lines stay: they may be an indent or a table. */
export function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\p{Zs}\f\v]/gu, ' ')
    .replace(/[^\P{Cc}\n\t]|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '')
}

/** The same for prose, where repeated spaces have no meaning. */
export function tidyProse(text: string): string {
  return tidy(text.replace(/[^\S\n\t]+/g, ' ').replace(/^ +/gm, ''))
}

/** Joins parts, records where each begins, and stops at the limit of symbols. */
export function joinParts(parts: Iterable<DocumentPart>, note: string | null = null): ReadText {
  let content = ''
  const pages: ReadText['pages'] = []
  for (const { name, text } of parts) {
    if (text === '') continue
    if (content !== '') content += '\n\n'
    if (name !== null) pages.push({ name, offset: content.length })
    content += text
    if (content.length > MAX_SYMBOLS) return { content: cut(content) + CUT_NOTE, pages: pages.filter(isBeforeCut) }
  }
  return { content: note && content !== '' ? `${content}\n\n${note}` : content, pages }
}

const isBeforeCut = ({ offset }: { offset: number }) => offset < MAX_SYMBOLS
/** Does not cut a surrogate pair. */
const cut = (text: string) => text.slice(0, MAX_SYMBOLS).replace(/[\ud800-\udbff]$/, '')

export type Cell = string | number | boolean | Date | null

/** One row as one line: cells separated by tabs, line breaks inside cells replaced. */
export function rowText(cells: Cell[]): string {
  return cells.map(cellText).join('\t').trimEnd()
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace('T00:00:00.000Z', '')
      .replace('T', ' ')
      .replace(/(:00)?\.000Z$/, '')
  return String(cell).replace(/\s+/g, ' ').trim()
}
