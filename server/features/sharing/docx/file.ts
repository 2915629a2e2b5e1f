import { parseAnswer } from '#contract/markdown/parse-answer.ts'
import type { Message } from '#contract/threads.ts'
import { citationsLine, dateLine, filesLine, textOf, thoughtText } from '../lines.ts'
import { blocksOf, codeBlock, createLists, type Nesting, outermost, paragraph, textRun } from './blocks.ts'
import type { DocxRequest } from './make.ts'
import { type MarkdownPart, packDocx, splitMarkdown, styledParagraph } from './package.ts'

type DocxThread = Extract<DocxRequest, { type: 'thread' }>

/**
 * The thread as a Word document. The body is written as XML text, because building it as objects of the docx library
 * takes many times as long.
 */
export async function docxFile({ owner, thread, messages }: DocxThread): Promise<Uint8Array<ArrayBuffer>> {
  const lists = createLists()
  const nesting = outermost(lists)
  const body = [styledParagraph('Title', thread.title), styledParagraph('Note', dateLine(thread))]
  for (const { speaker, ...message } of messages)
    for (const part of messageParts(message, speaker, nesting)) body.push(part)
  return packDocx({ title: thread.title, owner, body: body.join(''), numbering: lists.xml() })
}

type DocxText = Extract<DocxRequest, { type: 'text' }>

export async function docxText({ owner, title, note, text }: DocxText): Promise<Uint8Array<ArrayBuffer>> {
  const lists = createLists()
  const nesting = outermost(lists)
  const parts = splitMarkdown(text).map((part) => partXml(part, nesting))
  const body = [styledParagraph('Title', title), styledParagraph('Note', note), ...parts].join('')
  return packDocx({ title, owner, body, numbering: lists.xml() })
}

function* messageParts(message: Message, speaker: string, nesting: Nesting): Generator<string> {
  yield styledParagraph('Speaker', speaker)
  const files = filesLine(message)
  if (files) yield styledParagraph('Note', files)
  const thought = thoughtText(message)
  if (thought) for (const line of thought.split('\n')) yield styledParagraph('Note', line)
  const text = textOf(message)
  // Questions are plain text, answers are Markdown.
  if (message.role === 'user') for (const line of text.split('\n')) yield paragraph(textRun(line), nesting)
  else for (const part of splitMarkdown(text)) yield partXml(part, nesting)
  const citations = citationsLine(message)
  if (citations) yield styledParagraph('Note', citations)
}

/** Many nested quotes and lists on one line: the slowest input for the parser. */
const TOO_DEEP = /^(?:\s*(?:>|[-*+]\s|\d+[.)]\s)){17,}/m

function partXml(part: MarkdownPart, nesting: Nesting): string {
  if ('code' in part) return codeBlock(part.code, nesting)
  if (TOO_DEEP.test(part.markdown)) return paragraph(textRun(part.markdown), nesting)
  try {
    return blocksOf(parseAnswer(part.markdown), nesting)
  } catch (error) {
    // A stack overflow: nested too deep in another way.
    if (error instanceof RangeError) return paragraph(textRun(part.markdown), nesting)
    throw error
  }
}
