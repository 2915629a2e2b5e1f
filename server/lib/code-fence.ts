/** A code fence that is longer than any in the texts, so that none of them can close it. */
export function fenceFor(texts: readonly string[]): string {
  let longest = 2
  for (const text of texts) {
    for (let at = text.indexOf('```'); at >= 0; at = text.indexOf('```', at)) {
      const from = at
      while (text[at] === '`') at += 1
      longest = Math.max(longest, at - from)
    }
  }
  return '`'.repeat(longest + 1)
}
