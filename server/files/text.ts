import { detect } from 'chardet'
import iconv from 'iconv-lite'
import { valueAcross } from '#contract/personal-data.ts'

const SAMPLE = 64 * 1024
const cyrillic = new Set(['windows-1251', 'KOI8-R', 'ISO-8859-5', 'UTF-8'])

/** Whether bytes are text: UTF-8, UTF-16 with a BOM, or a single-byte encoding. `more`: the bytes may be cut off. */
export function looksLikeText(bytes: Uint8Array, more = false): boolean {
  if (utf16Of(bytes)) return !/[\0\p{Co}]/u.test(decodeText(bytes.subarray(0, bytes.length & ~1)))
  if (bytes.includes(0)) return false
  const controls = bytes.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0)
  if (isUtf8(bytes, more)) return controls * 10 <= bytes.length
  if (controls > 0) return false
  const text = iconv.decode(Buffer.from(bytes.subarray(0, SAMPLE)), 'windows-1251')
  const foreign = text.replace(/[\p{ASCII}]/gu, '')
  const characters = foreign.replace(/[^\p{L}«»—–„“”…№°§€\u00a0]/gu, '')
  return characters.length >= foreign.length * 0.9
}

/** Decodes text of any encoding and removes the BOM. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  const encoding = utf16 ?? (isUtf8(bytes, false) ? 'UTF-8' : oneByteEncoding(bytes.subarray(0, SAMPLE)))
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding)
}

/** UTF-8 is detected; for other bytes the encoding named by the server or the page is used. */
export function decodePage(bytes: Uint8Array, named: string | null): string {
  if (utf16Of(bytes) || isUtf8(bytes, false)) return decodeText(bytes)
  const encoding = named ?? encodingIn(bytes)
  // The bytes are not UTF-8 here, so that name is wrong.
  if (!encoding || /^utf-?8$/i.test(encoding) || !iconv.encodingExists(encoding)) return decodeText(bytes)
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding)
}

/** `<meta charset="windows-1251">`, also as `content="text/html; charset=…"`. */
function encodingIn(bytes: Uint8Array): string | null {
  const head = iconv.decode(Buffer.from(bytes.subarray(0, 2048)), 'latin1')
  return /<meta\s[^>]*charset\s*=\s*["']?\s*([\w-]{2,30})/i.exec(head)?.[1] ?? null
}

function utf16Of(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'UTF-16BE' : null
}

/** Detection is unreliable for short texts, so a text that reads as Russian in Windows-1251 is decoded as such. */
function oneByteEncoding(sample: Uint8Array): string {
  const guess = detect(sample)
  if (guess && cyrillic.has(guess)) return guess
  const russian = iconv.decode(Buffer.from(sample), 'windows-1251').match(/[А-Яа-яЁё]/g)?.length ?? 0
  const foreign = sample.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
  if (russian >= foreign * 0.8) return 'windows-1251'
  return guess && iconv.encodingExists(guess) ? guess : 'windows-1251'
}

function isUtf8(bytes: Uint8Array, more: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: more })
    return true
  } catch {
    return false
  }
}

/** Control characters that texts rarely contain: all but tab, line ends, form feed, escape and the DOS end of file. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b && byte !== 0x1a) || byte === 0x7f
}

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
  /** Only of PDFs: the pages that were read, also those without text. */
  pdf?: { pageCount: number; pages: PdfPage[] }
  /** Only of pages of the web. */
  about?: PageFacts
}

export const MAX_SYMBOLS = 2_000_000
const CUT_NOTE = '\n\n[Файл прочитан не до конца: взяты первые 2 000 000 символов.]'

/** Normalises characters and line ends, removes invisible characters. Spaces in lines stay: indents or tables. */
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
