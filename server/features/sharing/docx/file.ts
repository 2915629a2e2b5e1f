import { setImmediate as turn } from 'node:timers/promises'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Message } from '#contract/threads.ts'
import { citationsLine, dateLine, type Exported, filesLine, saidIn } from '../exported.ts'
import { blocksOf, codeBlock, outermost, type Place, paragraph } from './blocks.ts'
import { createLists } from './lists.ts'
import { named, packDocx } from './package.ts'
import { type MarkdownPart, markdownPieces } from './parts.ts'
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
  for await (const message of exported.messages) {
    for (const part of messageParts(message, exported.speakerOf(message), place)) {
      body.push(part)
      if (performance.now() - since < SLICE_MS) continue
      await turn()
      since = performance.now()
    }
  }
  return packDocx({
    title: exported.thread.title,
    owner: exported.owner,
    body: body.join(''),
    numbering: lists.xml(),
  })
}

function* messageParts(message: Message, speaker: string, place: Place): Generator<string> {
  yield named('Speaker', speaker)
  const files = filesLine(message)
  if (files) yield named('Note', files)
  const said = saidIn(message)
  // What a person typed is shown as it was typed; an answer is Markdown.
  if (message.role === 'user') for (const line of said.split('\n')) yield paragraph(textRun(line), place)
  else for (const piece of markdownPieces(said)) yield pieceXml(piece, place)
  const citations = citationsLine(message)
  if (citations) yield named('Note', citations)
}

const syntax = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** Quotes in quotes and lists in lists, one after the other on a line: reading them takes longest of all. */
const TOO_DEEP = /^(?:\s*(?:>|[-*+]\s|\d+[.)]\s)){17,}/m

function pieceXml(piece: MarkdownPart, place: Place): string {
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
