import type { Segment } from '#contract/transcriptions.ts'

/** The text as it reads, with its title. */
export function txtFile(title: string, text: string): string {
  return `\ufeff${[title, text].filter(Boolean).join('\n\n').replaceAll('\n', '\r\n')}\r\n`
}

/** Subtitles: numbered, with times, a pair of lines at most each. */
export function srtFile(segments: readonly Segment[]): string {
  const shown = segments.filter(({ text }) => text.trim() !== '')
  const entries = shown.map(({ start, end, text }, i) => {
    // Players drop what lasts no time at all.
    const until = Math.max(end, start + 0.001)
    return `${i + 1}\r\n${srtTime(start)} --> ${srtTime(until)}\r\n${oneEntry(text)}\r\n`
  })
  return `\ufeff${entries.join('\r\n')}`
}

/** An empty line would end the entry, and an arrow would begin another. */
const oneEntry = (text: string) =>
  text
    .trim()
    .replace(/\s*\n\s*/g, '\r\n')
    .replaceAll('-->', '→')

export function srtTime(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60]
  return `${two(hours)}:${two(minutes)}:${two(rest)},${String(ms % 1000).padStart(3, '0')}`
}
