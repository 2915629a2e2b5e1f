import { joinWords, wholeWord, wordRule } from './hyphens.ts'
import { type Annotation, formLines } from './pdf/form.ts'
import { blockLines, layOut, mayHaveTable } from './pdf/layout.ts'
import { openPdf, type PdfDocument } from './pdf/open.ts'
import { type LaidPage, withoutRepeats } from './pdf/repeats.ts'
import { gridsOf } from './pdf/rulings.ts'
import { segmentsOf } from './pdf/segments.ts'
import { joinPdfPages, type PdfPage, type ReadText, tidyProse } from './text.ts'

export const MAX_PAGES = 2000
/** The library keeps fonts and objects of all pages that it has read; a document opened again forgets them. */
const PAGES_AT_ONCE = 150

/**
 * The text of a PDF, page by page. Nothing is rendered or fetched, and scripts in the file do not run. The content is
 * empty when no page has text that can be used.
 */
export async function readPdf(
  bytes: Uint8Array,
  onProgress: (percent: number) => void,
  maxPages = MAX_PAGES,
): Promise<ReadText> {
  let document = await openPdf(bytes)
  const pageCount = document.numPages
  try {
    const count = Math.min(pageCount, maxPages)
    const laid: LaidPage[] = []
    for (let number = 1; number <= count; number += 1) {
      if (number % PAGES_AT_ONCE === 0) {
        await document.destroy()
        document = await openPdf(bytes)
      }
      laid.push(await layOutPage(document, number))
      onProgress(Math.floor((number / count) * 100))
    }
    const pages = pageTexts(withoutRepeats(laid))
    if (pages.every(({ needsReading }) => needsReading)) return { content: '', pages: [], pdf: { pageCount, pages } }
    return { ...joinPdfPages(pages, pageCount), pdf: { pageCount, pages } }
  } finally {
    await document.destroy()
  }
}

async function layOutPage(document: PdfDocument, number: number): Promise<LaidPage> {
  const page = await document.getPage(number)
  const { transform, height } = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  const segments = segmentsOf(items, transform)
  // Reading the drawing of a page takes as long as its text, so only a page with gaps between columns is asked for it.
  const grids = mayHaveTable(segments) ? await gridsOf(page, transform).catch(() => []) : []
  const annotations = (await page.getAnnotations().catch(() => [])) as Annotation[]
  const filled = formLines(annotations, segments, transform)
  page.cleanup()
  const blocks = layOut(segments, grids)
  return { number, height, blocks: filled.length > 0 ? [...blocks, { lines: ['', ...filled], y: height / 2 }] : blocks }
}

/** Words that the end of a line or of a page has cut are whole; the rest stands where the word begins. */
function pageTexts(laid: readonly LaidPage[]): PdfPage[] {
  const rule = wordRule(
    laid.flatMap(({ blocks }) => blocks.flatMap(({ lines, table }) => [...lines, ...(table ?? []).flat(2)])),
  )
  const pages = laid.map(({ number, blocks }) => ({ number, lines: joinWords(blockLines(blocks, rule), rule) }))
  for (const [index, { lines }] of pages.entries()) {
    const next = pages[index + 1]?.lines
    const moved = lines.length > 0 && next?.[0] ? wholeWord(lines.at(-1) ?? '', next[0], rule) : null
    if (moved && next) {
      lines[lines.length - 1] = moved.line
      next[0] = moved.rest
    }
  }
  return pages.map(({ number, lines }) => {
    const text = tidyProse(lines.join('\n'))
    return { number, text, needsReading: !isUsable(text) }
  })
}

/** A font without a table of characters gives replacement, private or control characters instead of letters. */
export function isUsable(text: string): boolean {
  const known = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  const unknown = text.match(/[\ufffd\p{Co}\p{Cn}]/gu)?.length ?? 0
  return known > 0 && unknown <= known
}
