import { type ComponentType, type ReactNode, startTransition, useCallback, useEffect, useState } from 'react'
import { message } from './notify.ts'

/** A component or a function in a file of its own, loaded on first use. */
export interface Lazy<Value> {
  /** Null until it is loaded. */
  get: () => Value | null
  /** Loads it once; after a failure the next call tries again. */
  load: () => Promise<Value>
  /** Loads it ahead of use. A failure is reported when it is used. */
  preload: () => void
}

export function lazy<Value>(fetch: () => Promise<Value>): Lazy<Value> {
  let value: Value | null = null
  let loading: Promise<Value> | null = null

  async function fetchValue() {
    try {
      value = await fetch()
      return value
    } finally {
      loading = null
    }
  }

  async function load() {
    if (value) return value
    loading ??= fetchValue()
    return loading
  }

  return { get: () => value, load, preload: () => void load().catch(() => undefined) }
}

/** The value, or null while it loads; without a connection it is loaded later. Its arrival is a transition. */
export function useLazy<Value>(source: Lazy<Value>): Value | null {
  const [value, setValue] = useState(source.get)
  useEffect(() => {
    if (value) return
    let isGone = false
    const show = (loaded: Value) => startTransition(() => setValue(() => loaded))
    const load = () => source.load().then((loaded) => isGone || show(loaded), waitForConnection)
    const waitForConnection = () => {
      if (!isGone) addEventListener('online', load, { once: true })
    }
    void load()
    return () => {
      isGone = true
      removeEventListener('online', load)
    }
  }, [source, value])
  return value
}

interface LateProps<Props> {
  component: Lazy<ComponentType<Props>>
  props: Props
  fallback?: ReactNode
}

/** A component that does not suspend while it loads, so the rest of the page stays as it is. */
export function Late<Props extends object>({ component, props, fallback = null }: LateProps<Props>) {
  const Component = useLazy(component)
  return Component ? <Component {...props} /> : fallback
}

/** A component that is loaded when the user asks for it, such as a menu; null until then. A failure shows a message. */
export function useOnDemand<Value>(source: Lazy<Value>) {
  const [loaded, setLoaded] = useState<{ value: Value } | null>(null)
  const ask = useCallback(() => {
    source.load().then(
      (value) => setLoaded({ value }),
      () => message.error('Не загрузилось. Проверьте связь или обновите страницу.'),
    )
  }, [source])
  const value = loaded?.value ?? null
  /** Props of the button that opens it: it begins to load when the button is about to be pressed. */
  const opener = { onPointerEnter: source.preload, onFocus: source.preload, onClick: value ? undefined : ask }
  return [value, ask, opener] as const
}
