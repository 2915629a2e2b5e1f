import { getDocumentProxy } from 'unpdf'
import { LOCKED, SCAN, Unreadable } from './rejections.ts'
import { type DocumentPart, joinParts, type ReadText, tidyProse } from './text.ts'

export const MAX_PAGES = 2000

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

/** The text of a PDF, page by page. Nothing is rendered or fetched, and scripts in the file do not run. */
export async function readPdf(
  bytes: Uint8Array,
  onProgress: (percent: number) => void,
  maxPages = MAX_PAGES,
): Promise<ReadText> {
  const document = await open(bytes)
  try {
    const count = Math.min(document.numPages, maxPages)
    const pages: DocumentPart[] = []
    for (let number = 1; number <= count; number += 1) {
      pages.push({ name: `стр. ${number}`, text: await pageText(document, number) })
      onProgress(Math.floor((number / count) * 100))
    }
    if (!pages.some(({ text }) => /[\p{L}\p{N}]/u.test(text))) throw new Unreadable(SCAN)
    const note = `[Файл прочитан не до конца: взяты первые ${count} страниц из ${document.numPages}.]`
    return joinParts(pages, document.numPages > count ? note : null)
  } finally {
    await document.destroy()
  }
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
