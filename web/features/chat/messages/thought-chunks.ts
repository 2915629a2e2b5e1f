const CHUNK = 2000

/**
 * Cuts a thought into chunks of about two thousand characters, at line breaks if there are any, else between words.
 * A growing text changes only the last chunk, so that the others are not rendered again.
 */
export function thoughtChunks(text: string): string[] {
  const chunks: string[] = []
  let from = 0
  while (text.length - from > 2 * CHUNK) {
    const end = endOfChunk(text, from)
    chunks.push(text.slice(from, end))
    // Chunks are rendered as blocks, so the line break or space between them is dropped.
    from = /\s/.test(text[end] ?? '') ? end + 1 : end
  }
  return [...chunks, text.slice(from)]
}

function endOfChunk(text: string, from: number): number {
  const line = text.indexOf('\n', from + CHUNK)
  if (line >= 0 && line < from + 2 * CHUNK) return line
  const word = text.lastIndexOf(' ', from + 2 * CHUNK)
  return word > from ? word : from + 2 * CHUNK
}
