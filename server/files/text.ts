import { valueAcross } from '#contract/personal-data.ts'

/** A part of a document: a page, a sheet, or the whole document without a name. */
export interface DocumentPart {
  name: string | null
  text: string
}

/** What a page says about itself; null where it says nothing. */
export interface PageFacts {
  title: string | null
  site: string | null
  /** The day of publication as YYYY-MM-DD. */
  date: string | null
}

/** A page of a PDF. */
export interface PdfPage {
  /** From 1. */
  number: number
  text: string
  /** It has no text of its own that can be used: nothing, or characters without a meaning. */
  needsReading: boolean
}

export interface ReadText {
  content: string
  pages: { name: string; offset: number }[]
  /** Only of PDFs and TIFFs: the pages that were read, also those without text. */
  pdf?: { pageCount: number; pages: PdfPage[] }
  /** Only of pages of the web. */
  about?: PageFacts
  /** Only when the picture of a page was asked for; null for a page with nothing on it. */
  picture?: RawPicture | null
}

/** Pixels without a header, and how far the page is turned clockwise. */
export interface RawPicture {
  data: Uint8Array
  width: number
  height: number
  channels: 1 | 3 | 4
  rotation: number
}

export const MAX_SYMBOLS = 2_000_000
const CUT_NOTE = '\n\n[Файл прочитан не до конца: взяты первые 2 000 000 символов.]'

/** Joiners are part of the spelling of Persian, of Indian scripts and of emoji; between other letters they only hide. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\u0900-\u0dff]$|[\p{Extended_Pictographic}\p{Emoji_Modifier}]$|\ufe0f$/u
const keptJoiner = (joiner: string, at: number, text: string) =>
  JOINED.test(text.slice(Math.max(0, at - 2), at)) ? joiner : ''

/** Normalises characters and line ends, removes invisible characters. Spaces in lines stay: indents or tables. */
export function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\p{Zs}\f\v]/gu, ' ')
    .replace(/[^\P{Cc}\n\t]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu, '')
    .replace(/[\u200c\u200d]/g, keptJoiner)
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

/** The text of a PDF with a mark for each page; `pageCount` is that of the file, which may have more than were read. */
export function joinPdfPages(pages: readonly Pick<PdfPage, 'number' | 'text'>[], pageCount: number): ReadText {
  const note = `[Файл прочитан не до конца: взяты первые ${pages.length} страниц из ${pageCount}.]`
  return joinParts(
    pages.map(({ number, text }) => ({ name: `стр. ${number}`, text })),
    pageCount > pages.length ? note : null,
  )
}

const isBeforeCut = ({ offset }: { offset: number }) => offset < MAX_SYMBOLS
/** Does not cut a surrogate pair, nor a value such as a phone number, which could not be hidden from a model then. */
const cut = (text: string) =>
  text.slice(0, valueAcross(text, MAX_SYMBOLS)?.start ?? MAX_SYMBOLS).replace(/[\ud800-\udbff]$/, '')

type Cell = string | number | boolean | Date | null

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

/** What is struck out is no text; only a paper that would have no words then keeps it. */
export function unlessAllStruck(read: (keepsStruck: boolean) => string): string {
  const text = read(false)
  return /[\p{L}\p{N}]/u.test(text) ? text : read(true)
}
