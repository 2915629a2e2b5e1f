import { getDocumentProxy } from 'unpdf'
import { LOCKED, Unreadable } from './rejections.ts'
import { joinPdfPages, type PdfPage, type ReadText, tidyProse } from './text.ts'

export const MAX_PAGES = 2000

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

/**
 * The text of a PDF, page by page. Nothing is rendered or fetched, and scripts in the file do not run. The content is
 * empty when no page has text that can be used.
 */
export async function readPdf(
  bytes: Uint8Array,
  onProgress: (percent: number) => void,
  maxPages = MAX_PAGES,
): Promise<ReadText> {
  const document = await open(bytes)
  try {
    const count = Math.min(document.numPages, maxPages)
    const pages: PdfPage[] = []
    for (let number = 1; number <= count; number += 1) {
      const text = await pageText(document, number)
      pages.push({ number, text, needsReading: !isUsable(text) })
      onProgress(Math.floor((number / count) * 100))
    }
    const pdf = { pageCount: document.numPages, pages }
    if (pages.every(({ needsReading }) => needsReading)) return { content: '', pages: [], pdf }
    return { ...joinPdfPages(pages, document.numPages), pdf }
  } finally {
    await document.destroy()
  }
}

/** A font without a table of characters gives replacement, private or control characters instead of letters. */
export function isUsable(text: string): boolean {
  const known = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  const unknown = text.match(/[\ufffd\p{Co}\p{Cn}]/gu)?.length ?? 0
  return known > 0 && unknown <= known
}

async function open(bytes: Uint8Array): Promise<Document> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, enableXfa: false })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw new Unreadable(LOCKED)
    throw error
  }
}

async function pageText(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  return tidyProse(text)
}
