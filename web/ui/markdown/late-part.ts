import { startTransition, useEffect, useState } from 'react'

/** A module that is loaded on first use. Unlike `React.lazy` it does not suspend: callers show plain text meanwhile. */
export interface LatePart<Part> {
  /** Null until it is loaded. */
  get: () => Part | null
  load: () => Promise<Part>
}

/** A failed load is repeated by the next caller. */
export function latePart<Part>(fetch: () => Promise<Part>): LatePart<Part> {
  let part: Part | null = null
  let loading: Promise<Part> | null = null

  async function load() {
    try {
      part = await fetch()
      return part
    } finally {
      loading = null
    }
  }

  return {
    get: () => part,
    load: async () => {
      if (part) return part
      loading ??= load()
      return loading
    },
  }
}

/** The part, or null while it loads. Its arrival is a transition, so a page of waiting answers stays responsive. */
export function useLatePart<Part>(late: LatePart<Part>): Part | null {
  const [part, setPart] = useState(late.get)
  useEffect(() => {
    if (part) return
    let isGone = false
    const show = (found: Part) => startTransition(() => setPart(() => found))
    const load = () => late.load().then((found) => isGone || show(found), waitForConnection)
    const waitForConnection = () => {
      if (!isGone) addEventListener('online', load, { once: true })
    }
    void load()
    return () => {
      isGone = true
      removeEventListener('online', load)
    }
  }, [late, part])
  return part
}
