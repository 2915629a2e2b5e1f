import { type ComponentType, type ReactNode, startTransition, useCallback, useEffect, useState } from 'react'
import { message } from './notify.ts'

/** A part of the page that is in a file of its own and loaded on first use. */
export interface Lazy<Part> {
  /** Null until it is loaded. */
  get: () => Part | null
  /** Loads it once; after a failure the next call tries again. */
  load: () => Promise<Part>
  /** Loads it ahead of use. A failure is reported when it is used. */
  preload: () => void
}

export function lazy<Part>(fetch: () => Promise<Part>): Lazy<Part> {
  let part: Part | null = null
  let loading: Promise<Part> | null = null

  async function fetchPart() {
    try {
      part = await fetch()
      return part
    } finally {
      loading = null
    }
  }

  async function load() {
    if (part) return part
    loading ??= fetchPart()
    return loading
  }

  return { get: () => part, load, preload: () => void load().catch(() => undefined) }
}

/** The part, or null while it loads; without a connection it is loaded later. Its arrival is a transition. */
export function useLazy<Part>(lazyPart: Lazy<Part>): Part | null {
  const [part, setPart] = useState(lazyPart.get)
  useEffect(() => {
    if (part) return
    let isGone = false
    const show = (loaded: Part) => startTransition(() => setPart(() => loaded))
    const load = () => lazyPart.load().then((loaded) => isGone || show(loaded), waitForConnection)
    const waitForConnection = () => {
      if (!isGone) addEventListener('online', load, { once: true })
    }
    void load()
    return () => {
      isGone = true
      removeEventListener('online', load)
    }
  }, [lazyPart, part])
  return part
}

interface LateProps<Props> {
  part: Lazy<ComponentType<Props>>
  props: Props
  fallback?: ReactNode
}

/** A component that does not suspend while it loads, so the rest of the page stays as it is. */
export function Late<Props extends object>({ part, props, fallback = null }: LateProps<Props>) {
  const Component = useLazy(part)
  return Component ? <Component {...props} /> : fallback
}

/** A part that is loaded when the user asks for it, such as a menu; null until then. A failure shows a message. */
export function useOnDemand<Part>(lazyPart: Lazy<Part>): [part: Part | null, ask: () => void] {
  const [loaded, setLoaded] = useState<{ part: Part } | null>(null)
  const ask = useCallback(() => {
    lazyPart.load().then(
      (part) => setLoaded({ part }),
      () => message.error('Не загрузилось. Проверьте связь или обновите страницу.'),
    )
  }, [lazyPart])
  return [loaded?.part ?? null, ask]
}
