import { startTransition, useEffect, useState } from 'react'

/** Something that is loaded when it is first needed. */
export interface LatePart<Part> {
  /** Null until it is there. */
  get: () => Part | null
  load: () => Promise<Part>
}

/** What could not be loaded is tried again by whoever needs it next. */
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

/** The part, or null while it is on its way. When it comes, what waits for it is drawn bit by bit. */
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
