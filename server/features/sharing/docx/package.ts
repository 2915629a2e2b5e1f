import { BorderStyle, Document, type IStylesOptions, Packer, Paragraph, ShadingType } from 'docx'
import { textRun } from './blocks.ts'

/** A part of a message that is parsed on its own: a fenced code block, or Markdown of at most MAX_PART symbols. */
export type MarkdownPart = { code: string } | { markdown: string }

/**
 * The parser can take quadratic time: a minute for a long message of asterisks. Parts of this length take less than a
 * second at worst.
 */
const MAX_PART = 4000

/** Cuts a long message at fences and empty lines, where the cut is not visible. */
export function splitMarkdown(text: string): MarkdownPart[] {
  if (text.length <= MAX_PART) return [{ markdown: text }]
  const parts: MarkdownPart[] = []
  let block: string[] = []
  let fence: { mark: string; lines: string[] } | null = null
  const flush = () => {
    for (const markdown of packParagraphs(block)) parts.push({ markdown })
    block = []
  }
  for (const line of text.split('\n')) {
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence) {
      if (mark?.startsWith(fence.mark) && line.trim() === mark) {
        parts.push({ code: fence.lines.join('\n') })
        fence = null
      } else fence.lines.push(line)
    } else if (mark && !line.slice(mark.length).includes('`')) {
      flush()
      fence = { mark, lines: [] }
    } else block.push(line)
  }
  flush()
  if (fence) parts.push({ code: fence.lines.join('\n') })
  return parts
}

/** Joins paragraphs up to MAX_PART. A longer one is cut between lines, then between words. */
function packParagraphs(lines: string[]): string[] {
  const out: string[] = []
  let current = ''
  for (const paragraph of paragraphs(lines).flatMap(cut)) {
    if (current !== '' && current.length + paragraph.length > MAX_PART) {
      out.push(current)
      current = ''
    }
    current += `${paragraph}\n\n`
  }
  if (current.trim() !== '') out.push(current)
  return out
}

/** An empty line ends a paragraph, unless the next line is indented as inside a list. */
function paragraphs(lines: string[]): string[] {
  const out: string[] = []
  let current: string[] = []
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '' && /^\S/.test(lines[i + 1] ?? '')) {
      if (current.length > 0) out.push(current.join('\n'))
      current = []
    } else current.push(line)
  }
  if (current.length > 0) out.push(current.join('\n'))
  return out
}

function cut(paragraph: string): string[] {
  if (paragraph.length <= MAX_PART) return [paragraph]
  const lines = paragraph.split('\n').flatMap(cutLine)
  const isTable = /^[\s:|-]*-[\s:|-]*$/.test(lines[1] ?? '') && lines[0]?.includes('|')
  const head = isTable ? `${lines[0]}\n${lines[1]}\n` : ''
  const out: string[] = []
  let current = ''
  for (const line of isTable ? lines.slice(2) : lines) {
    if (current !== '' && current.length + line.length > MAX_PART) {
      out.push(head + current)
      current = ''
    }
    current += `${line}\n`
  }
  return [...out, head + current]
}

const cutLine = (line: string) =>
  line.length <= MAX_PART ? [line] : (line.match(new RegExp(`.{1,${MAX_PART}}(?:\\s|$)|.{1,${MAX_PART}}`, 'gsu')) ?? [])

interface Content {
  title: string
  owner: string
  /** WordprocessingML. */
  body: string
  /** Definitions of the lists that the body refers to. */
  numbering?: string
}

export async function packDocx({ title, owner, body, numbering }: Content): Promise<Uint8Array<ArrayBuffer>> {
  const document = new Document({
    title: withoutControls(title),
    creator: withoutControls(owner),
    lastModifiedBy: withoutControls(owner),
    styles,
    sections: [{ children: [new Paragraph('')] }],
  })
  const packed = await Packer.toBuffer(document, false, [
    { path: 'word/document.xml', data: documentXml(body) },
    ...(numbering === undefined ? [] : [{ path: 'word/numbering.xml', data: numbering }]),
  ])
  return new Uint8Array(packed)
}

export const styledParagraph = (style: string, text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${textRun(text)}</w:p>`
const withoutControls = (text: string) => text.replace(/[\p{Cc}\p{Cs}]/gu, ' ')

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
const ownStyle = (id: string, name: string) => ({ id, name, basedOn: 'Normal', quickFormat: true })

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
      ...ownStyle('Speaker', 'Speaker'),
      run: { bold: true, color: '4F46E5' },
      paragraph: { spacing: { before: 320, after: 60 }, keepNext: true },
    },
    { ...ownStyle('Note', 'Note'), run: { color: '6B7280', size: 20 } },
    { ...ownStyle('Quote', 'Quote'), run: { color: '4B5563', italics: true }, paragraph: { indent: { left: 425 } } },
    {
      ...ownStyle('Code', 'Code'),
      run: { font: MONO, size: 19 },
      paragraph: { shading: grey, spacing: { before: 80, after: 160, line: 252 } },
    },
    {
      ...ownStyle('Rule', 'Rule'),
      paragraph: { border: { bottom: { style: BorderStyle.SINGLE, size: 4, color: 'BFBFBF' } } },
    },
  ],
  characterStyles: [{ id: 'InlineCode', name: 'Inline Code', run: { font: MONO, size: 20, shading: grey } }],
}
