interface Limits<Value> {
  /** Of all texts and of what was made from them. */
  maxBytes: number
  keptMs?: number
  /** What a value takes in memory, in bytes; it may be much more than its text. */
  weigh: (value: Value) => number
}

interface Entry<Value> {
  value: Value
  usedAt: number
  bytes: number
}

/** What was made from texts. What was used last is kept longest; what nobody asks for in `keptMs` goes at a later call. */
export function createTextCache<Value>({ maxBytes, keptMs = Number.POSITIVE_INFINITY, weigh }: Limits<Value>) {
  /** What was used last comes last. */
  const kept = new Map<string, Entry<Value>>()
  let bytes = 0

  function forget(text: string) {
    bytes -= kept.get(text)?.bytes ?? 0
    kept.delete(text)
  }

  function put(text: string, entry: Entry<Value>) {
    forget(text)
    kept.set(text, entry)
    bytes += entry.bytes
    forgetOld(entry.usedAt)
  }

  function forgetOld(now: number) {
    for (const [text, { usedAt }] of kept) {
      if (bytes <= maxBytes && now - usedAt < keptMs) return
      forget(text)
    }
  }

  return {
    get(text: string, now = Date.now()): Value | undefined {
      forgetOld(now)
      const entry = kept.get(text)
      if (entry) put(text, { ...entry, usedAt: now })
      return entry?.value
    },
    set: (text: string, value: Value, now = Date.now()) =>
      put(text, { value, usedAt: now, bytes: bytesOf(text) + weigh(value) }),
  }
}

/** A character of a Russian text takes two bytes. */
export const bytesOf = (text: string) => 2 * text.length
