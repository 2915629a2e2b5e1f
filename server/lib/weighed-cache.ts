interface CacheLimits {
  /** The sum of all weights. */
  most: number
  /** A value is forgotten after this time. */
  ms: number
}

interface WeighedCache<Value> {
  get: (key: string) => Value | undefined
  set: (key: string, value: Value, weight: number) => void
}

/** Keeps values until they are old or weigh too much together; the one that was not used for longest goes first. */
export function createWeighedCache<Value>({ most, ms }: CacheLimits): WeighedCache<Value> {
  const kept = new Map<string, { value: Value; weight: number; until: number }>()
  let all = 0

  function drop(key: string): void {
    all -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }

  return {
    get: (key) => {
      const entry = kept.get(key)
      if (!entry) return undefined
      kept.delete(key)
      kept.set(key, entry)
      if (entry.until > performance.now()) return entry.value
      drop(key)
      return undefined
    },
    set: (key, value, weight) => {
      drop(key)
      if (weight > most) return
      kept.set(key, { value, weight, until: performance.now() + ms })
      all += weight
      for (const oldest of kept.keys()) {
        if (all <= most) return
        drop(oldest)
      }
    },
  }
}
