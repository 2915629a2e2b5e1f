import { parse } from 'csv-parse/sync'
import { decodePage, decodeText, looksLikeText } from './encoding.ts'
import { BROKEN, NO_TEXT, Unreadable } from './rejections.ts'
import { joinParts, MAX_SYMBOLS, type ReadText, rowText, tidy } from './text.ts'
import { documents } from './types.ts'

/** Set for a page of the web: the encoding that its server names. */
export interface WebPage {
  charset: string | null
}

/**
 * The text of a document of a known type; that of a PDF may be empty when its pages must be read otherwise. Runs in a worker, because a file may make
 * the parser hang or fill memory.
 */
export async function readDocument(
  mime: string,
  bytes: Uint8Array,
  onProgress: (percent: number) => void = () => {},
  page?: WebPage,
): Promise<ReadText> {
  const text = page ? await readWebPage(mime, bytes, page) : await readByType(mime, bytes, onProgress)
  if (text.content.trim() === '' && (page || !text.pdf)) throw new Unreadable(NO_TEXT)
  return text
}

/** The picture of a page of a PDF, as it is in the file. */
export async function readPicture(bytes: Uint8Array, number: number): Promise<ReadText> {
  return { content: '', pages: [], picture: await (await import('./pdf-picture.ts')).pdfPicture(bytes, number) }
}

type Reader = (bytes: Uint8Array) => Promise<ReadText> | ReadText

/** The large libraries are imported when the first file needs them. */
const readers: Record<string, () => Promise<Reader>> = {
  [documents.docx.mime]: async () => (await import('./read-docx.ts')).readDocx,
  [documents.xlsx.mime]: async () => (await import('./read-xlsx.ts')).readXlsx,
  [documents.pptx.mime]: async () => (await import('./read-pptx.ts')).readPptx,
  [documents.odt.mime]: async () => (await import('./read-odf.ts')).readOdf,
  [documents.ods.mime]: async () => (await import('./read-odf.ts')).readOdf,
  [documents.odp.mime]: async () => (await import('./read-odf.ts')).readOdf,
  [documents.doc.mime]: async () => (await import('./read-doc.ts')).readDoc,
  [documents.xls.mime]: async () => (await import('./read-xls.ts')).readXls,
  [documents.rtf.mime]: async () => (await import('./read-rtf.ts')).readRtf,
  [documents.epub.mime]: async () => (await import('./read-books.ts')).readEpub,
  [documents.fb2.mime]: async () => (await import('./read-books.ts')).readFb2,
  [documents.tiff.mime]: async () => (await import('./read-tiff.ts')).readTiff,
  [documents.html.mime]: async () => (await import('./read-html.ts')).readHtmlFile,
}

async function readByType(mime: string, bytes: Uint8Array, onProgress: (percent: number) => void): Promise<ReadText> {
  if (mime === documents.pdf.mime) return (await import('./read-pdf.ts')).readPdf(bytes, onProgress)
  const reader = await readers[mime]?.()
  if (reader) return reader(bytes)
  if (!looksLikeText(bytes)) throw new Unreadable(BROKEN)
  const text = decodeText(bytes)
  return mime === documents.csv.mime ? readCsv(text) : readPlain(text)
}

/** Enough for what a page can add to a prompt. */
const WEB_PDF_PAGES = 60

async function readWebPage(mime: string, bytes: Uint8Array, { charset }: WebPage): Promise<ReadText> {
  if (mime === documents.pdf.mime) return (await import('./read-pdf.ts')).readPdf(bytes, () => {}, WEB_PDF_PAGES)
  const text = decodePage(bytes, charset)
  if (text.includes('\0')) throw new Unreadable(BROKEN)
  return mime === documents.html.mime ? (await import('./read-page.ts')).readPage(text) : readPlain(text)
}

/** A text unchanged: indents and empty lines have a meaning in code and in Markdown. */
function readPlain(text: string): ReadText {
  return joinParts([{ name: null, text: tidy(text) }])
}

/** A table as rows with cells separated by tabs. What does not parse as CSV is read as plain text. */
function readCsv(text: string): ReadText {
  try {
    return joinParts([{ name: null, text: tidy(rowsOf(text).join('\n')) }])
  } catch {
    return readPlain(text)
  }
}

function rowsOf(text: string): string[] {
  const rows: string[] = []
  let length = 0
  parse(text, {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_SYMBOLS,
    // Rows are joined immediately: arrays of cells would take many times the memory.
    on_record: (record: string[]) => {
      if (length <= MAX_SYMBOLS) {
        const row = rowText(record)
        rows.push(row)
        length += row.length + 1
      }
      return null
    },
  })
  return rows
}

const delimiters = [';', '\t', ',']

/** The one that splits the first lines most often. The comma is tried last: Russian numbers contain it. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 10_000)
    .replace(/"[^"]*"/g, '')
    .split('\n', 20)
  const count = (sign: string) => Math.min(...lines.slice(0, 2).map((line) => line.split(sign).length))
  return delimiters.reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
