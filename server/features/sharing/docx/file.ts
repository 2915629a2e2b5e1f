import { setImmediate as turn } from 'node:timers/promises'
import { BorderStyle, Document, type IStylesOptions, Packer, Paragraph, ShadingType } from 'docx'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Message } from '#contract/threads.ts'
import { dateLine, type Exported, filesLine, saidIn, sourcesLine } from '../exported.ts'
import { blocksOf, codeBlock, outermost, type Place, paragraph } from './blocks.ts'
import { createLists } from './lists.ts'
import { type MarkdownPiece, markdownPieces } from './pieces.ts'
import { textRun } from './runs.ts'

/** How long the rest of the server waits for its turn at most, apart from one piece of Markdown. */
const SLICE_MS = 10

/**
 * The thread as a document of Word. The package is docx's work; the body is written here as text, because its tree
 * of objects for a long thread would hold up everybody for seconds.
 */
export async function docxFile(exported: Exported): Promise<Uint8Array<ArrayBuffer>> {
  const lists = createLists()
  const place = outermost(lists)
  const body = [named('Title', exported.thread.title), named('Note', dateLine(exported.thread))]
  let since = performance.now()
  for (const message of exported.messages) {
    for (const part of messageParts(message, exported.speakerOf(message), place)) {
      body.push(part)
      if (performance.now() - since < SLICE_MS) continue
      await turn()
      since = performance.now()
    }
  }
  const document = new Document({
    title: cleaned(exported.thread.title),
    creator: cleaned(exported.owner),
    lastModifiedBy: cleaned(exported.owner),
    styles,
    sections: [{ children: [new Paragraph('')] }],
  })
  const packed = await Packer.toBuffer(document, false, [
    { path: 'word/document.xml', data: documentXml(body.join('')) },
    { path: 'word/numbering.xml', data: lists.xml() },
  ])
  return new Uint8Array(packed)
}

function* messageParts(message: Message, speaker: string, place: Place): Generator<string> {
  yield named('Speaker', speaker)
  const files = filesLine(message)
  if (files) yield named('Note', files)
  const said = saidIn(message)
  // What a person typed is shown as it was typed; an answer is Markdown.
  if (message.role === 'user') for (const line of said.split('\n')) yield paragraph(textRun(line), place)
  else for (const piece of markdownPieces(said)) yield pieceXml(piece, place)
  const sources = sourcesLine(message)
  if (sources) yield named('Note', sources)
}

const syntax = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** Quotes in quotes and lists in lists, one after the other on a line: reading them takes longest of all. */
const TOO_DEEP = /^(?:\s*(?:>|[-*+]\s|\d+[.)]\s)){17,}/m

function pieceXml(piece: MarkdownPiece, place: Place): string {
  if ('code' in piece) return codeBlock(piece.code, place)
  if (TOO_DEEP.test(piece.markdown)) return paragraph(textRun(piece.markdown), place)
  try {
    return blocksOf(fromMarkdown(piece.markdown, syntax).children, place)
  } catch (error) {
    // Nested too deep in some other way: no reader would follow either.
    if (error instanceof RangeError) return paragraph(textRun(piece.markdown), place)
    throw error
  }
}

const named = (style: string, text: string) => `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${textRun(text)}</w:p>`
const cleaned = (text: string) => text.replace(/[\p{Cc}\p{Cs}]/gu, ' ')

const documentXml = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` +
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}` +
  `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" ` +
  `w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>`

const MONO = 'Consolas'
const grey = { type: ShadingType.CLEAR, color: 'auto', fill: 'F2F2F2' }
const heading = (size: number) => ({
  run: { size, bold: true, color: '1F1F1F' },
  paragraph: { spacing: { before: 200, after: 80 }, keepNext: true },
})
const own = (id: string, name: string) => ({ id, name, basedOn: 'Normal', quickFormat: true })

const styles: IStylesOptions = {
  default: {
    document: {
      run: { font: 'Calibri', size: 22, language: { value: 'ru-RU' } },
      paragraph: { spacing: { after: 120, line: 276 } },
    },
    title: { run: { size: 40, bold: true }, paragraph: { spacing: { after: 60 } } },
    heading1: heading(32),
    heading2: heading(28),
    heading3: heading(25),
    heading4: heading(23),
    heading5: heading(22),
    heading6: heading(22),
    listParagraph: { paragraph: { spacing: { after: 60 } } },
  },
  paragraphStyles: [
    {
      ...own('Speaker', 'Speaker'),
      run: { bold: true, color: '4F46E5' },
      paragraph: { spacing: { before: 320, after: 60 }, keepNext: true },
    },
    { ...own('Note', 'Note'), run: { color: '6B7280', size: 20 } },
    { ...own('Quote', 'Quote'), run: { color: '4B5563', italics: true }, paragraph: { indent: { left: 425 } } },
    {
      ...own('Code', 'Code'),
      run: { font: MONO, size: 19 },
      paragraph: { shading: grey, spacing: { before: 80, after: 160, line: 252 } },
    },
    {
      ...own('Rule', 'Rule'),
      paragraph: { border: { bottom: { style: BorderStyle.SINGLE, size: 4, color: 'BFBFBF' } } },
    },
  ],
  characterStyles: [{ id: 'InlineCode', name: 'Inline Code', run: { font: MONO, size: 20, shading: grey } }],
}
