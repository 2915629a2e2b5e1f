interface Limits {
  /** Of all texts together. */
  maxLength: number
  keptMs?: number
}

/** What was made from texts. What was used last is kept longest; what nobody asks for in `keptMs` goes at a later call. */
export function createTextCache<Value>({ maxLength, keptMs = Number.POSITIVE_INFINITY }: Limits) {
  /** What was used last comes last. */
  const kept = new Map<string, { value: Value; usedAt: number }>()
  let length = 0

  function put(text: string, value: Value, now: number) {
    if (!kept.delete(text)) length += text.length
    kept.set(text, { value, usedAt: now })
    forgetOld(now)
  }

  function forgetOld(now: number) {
    for (const [text, { usedAt }] of kept) {
      if (length <= maxLength && now - usedAt < keptMs) return
      kept.delete(text)
      length -= text.length
    }
  }

  return {
    get(text: string, now = Date.now()): Value | undefined {
      forgetOld(now)
      const value = kept.get(text)?.value
      if (value !== undefined) put(text, value, now)
      return value
    },
    set: (text: string, value: Value, now = Date.now()) => put(text, value, now),
  }
}
