/** What begins a line of its own: an item of a list, a heading, a row of a table, a quote. */
const STARTS_ITSELF = /^\s*(?:[•●◦▪*+–—-]\s|\d+(?:\.\d+)*[.)]\s|\p{L}\)\s|#{1,6}\s|>|\|)/u
const ENDS_ITSELF = /(?:[.!?…:;]["»”)]*|\|)$/
const CONTINUES = /^["«(]?(?:\p{Ll}|\d)/u
/** Lines that the edge of a page broke are long; those of addresses and tables are not. */
const LONG = 40
const SHARE_OF_LONGEST = 0.6

/** Joins the lines that only the edge of a page ended, as PDF files have them. */
export function joinLines(text: string): string {
  const lines = text.split('\n')
  const longest = Math.max(...lines.map((line) => line.trim().length))
  const isBroken = (line: string, next: string) => {
    if (line.trim() === '' || next.trim() === '' || STARTS_ITSELF.test(next)) return false
    if (line.trim().length < Math.max(LONG, longest * SHARE_OF_LONGEST) || ENDS_ITSELF.test(line.trim())) return false
    return CONTINUES.test(next.trim()) || line.trim().length >= longest * 0.8
  }
  return lines.reduce((joined, line, i) => {
    const before = lines[i - 1]
    if (before === undefined) return line
    return isBroken(before, line) ? `${joined.trimEnd()} ${line.trimStart()}` : `${joined}\n${line}`
  }, '')
}
