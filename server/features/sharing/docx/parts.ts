/** A part of a message that is parsed on its own: a fenced code block, or Markdown of at most MAX_PART symbols. */
export type MarkdownPart = { code: string } | { markdown: string }

/**
 * The parser can take quadratic time: a minute for a long message of asterisks. Parts of this length take
 * milliseconds at worst, and other requests run between them.
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
