interface Limits {
  /** Of all kept HTML together. */
  maxLength: number
  keptMs: number
}

/**
 * HTML by the text it was made from. What was not asked for as long as `keptMs` is forgotten at the next call, so that
 * the words of a deleted chat do not stay in memory.
 */
export function createHtmlCache({ maxLength, keptMs }: Limits) {
  /** What was used last comes last. */
  const kept = new Map<string, { html: string; usedAt: number }>()
  let length = 0

  function forgetOld(now: number) {
    for (const [text, { html, usedAt }] of kept) {
      if (length <= maxLength && now - usedAt < keptMs) return
      kept.delete(text)
      length -= html.length
    }
  }

  return {
    get(text: string, make: () => string, now = Date.now()): string {
      forgetOld(now)
      const html = kept.get(text)?.html ?? make()
      if (!kept.delete(text)) length += html.length
      kept.set(text, { html, usedAt: now })
      forgetOld(now)
      return html
    },
    /** The length of all HTML that is kept. */
    length: () => length,
  }
}
