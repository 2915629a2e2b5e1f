/** A part of a message that can be read by itself: code between fences, or other Markdown of a moderate length. */
export type MarkdownPart = { code: string } | { markdown: string }

/**
 * Reading Markdown can take the square of its length, for a whole message of nothing but asterisks a minute.
 * Pieces of this length take milliseconds at worst, and between them others have their turn.
 */
const MAX_PART = 4000

/** Cuts a message where a reader would not notice: at fences and empty lines, and only if it is long. */
export function markdownPieces(text: string): MarkdownPart[] {
  if (text.length <= MAX_PART) return [{ markdown: text }]
  const pieces: MarkdownPart[] = []
  let block: string[] = []
  let fence: { mark: string; lines: string[] } | null = null
  const flush = () => {
    for (const markdown of packed(block)) pieces.push({ markdown })
    block = []
  }
  for (const line of text.split('\n')) {
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence) {
      if (mark?.startsWith(fence.mark) && line.trim() === mark) {
        pieces.push({ code: fence.lines.join('\n') })
        fence = null
      } else fence.lines.push(line)
    } else if (mark && !line.slice(mark.length).includes('`')) {
      flush()
      fence = { mark, lines: [] }
    } else block.push(line)
  }
  flush()
  if (fence) pieces.push({ code: fence.lines.join('\n') })
  return pieces
}

/** Paragraphs together as far as they fit; one that is too long for itself is cut between lines, then between words. */
function packed(lines: string[]): string[] {
  const out: string[] = []
  let piece = ''
  for (const part of paragraphs(lines).flatMap(cut)) {
    if (piece !== '' && piece.length + part.length > MAX_PART) {
      out.push(piece)
      piece = ''
    }
    piece += `${part}\n\n`
  }
  if (piece.trim() !== '') out.push(piece)
  return out
}

/** An empty line ends a paragraph unless what follows is indented, as inside of a list. */
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
  let piece = ''
  for (const line of isTable ? lines.slice(2) : lines) {
    if (piece !== '' && piece.length + line.length > MAX_PART) {
      out.push(head + piece)
      piece = ''
    }
    piece += `${line}\n`
  }
  return [...out, head + piece]
}

const cutLine = (line: string) =>
  line.length <= MAX_PART ? [line] : (line.match(new RegExp(`.{1,${MAX_PART}}(?:\\s|$)|.{1,${MAX_PART}}`, 'gsu')) ?? [])
