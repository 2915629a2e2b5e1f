/**
 * Cuts a stream of server-sent events into their `data:` lines. Comments, other fields, `\r\n` and pieces that end in
 * the middle of a line are all in a day's work.
 */
export function dataLines(): (text: string) => string[] {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const found: string[] = []
    for (const line of lines) {
      const data = dataOf(line)
      if (data !== null) found.push(data)
    }
    return found
  }
}

function dataOf(line: string): string | null {
  if (!line.startsWith('data:')) return null
  const from = line.charCodeAt(5) === 32 ? 6 : 5
  return line.endsWith('\r') ? line.slice(from, -1) : line.slice(from)
}
