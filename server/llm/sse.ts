/**
 * Cuts a stream of server-sent events into their `data:` lines. Comments, other fields, `\r\n` and pieces that end in
 * the middle of a line or a letter are all in a day's work.
 */
export async function* dataLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + decoder.decode(piece, { stream: true })
    const lastBreak = text.lastIndexOf('\n')
    rest = text.slice(lastBreak + 1)
    if (lastBreak < 0) continue
    for (const line of text.slice(0, lastBreak).split('\n')) {
      const data = dataOf(line)
      if (data !== null) yield data
    }
  }
  const data = dataOf(rest + decoder.decode())
  if (data !== null) yield data
}

function dataOf(line: string): string | null {
  if (!line.startsWith('data:')) return null
  const from = line.charCodeAt(5) === 32 ? 6 : 5
  return line.endsWith('\r') ? line.slice(from, -1) : line.slice(from)
}
