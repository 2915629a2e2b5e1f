import { readCsv, readPlain } from './read-text.ts'
import { decodeText, looksLikeText } from './text-encoding.ts'
import type { ReadText } from './tidy.ts'
import { documents } from './types.ts'
import { BROKEN, NO_TEXT, Unreadable } from './unreadable.ts'

/** The text of a document of a known type. Runs in a worker, because a file may make its parser hang or use up memory. */
export async function readDocument(
  mime: string,
  bytes: Uint8Array,
  onProgress: (percent: number) => void = () => {},
): Promise<ReadText> {
  const text = await readByType(mime, bytes, onProgress)
  if (text.content.trim() === '') throw new Unreadable(NO_TEXT)
  return text
}

/** The large libraries are imported when the first file needs them. */
async function readByType(mime: string, bytes: Uint8Array, onProgress: (percent: number) => void): Promise<ReadText> {
  if (mime === documents.pdf.mime) return (await import('./read-pdf.ts')).readPdf(bytes, onProgress)
  if (mime === documents.docx.mime) return (await import('./read-office.ts')).readDocx(bytes)
  if (mime === documents.xlsx.mime) return (await import('./read-office.ts')).readXlsx(bytes)
  if (!looksLikeText(bytes)) throw new Unreadable(BROKEN)
  const text = decodeText(bytes)
  if (mime === documents.html.mime) return (await import('./read-html.ts')).readHtml(text)
  return mime === documents.csv.mime ? readCsv(text) : readPlain(text)
}
