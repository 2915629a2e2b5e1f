import {
  type ComponentType,
  type ReactNode,
  lazy as reactLazy,
  startTransition,
  useCallback,
  useEffect,
  useState,
} from 'react'
import { ApiError } from '#contract/errors.ts'
import { isReloadHeld } from './hold-reload.ts'
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

export type LazyComponent<Props> = ComponentType<Props> & { load: () => Promise<unknown>; preload: () => void }

/** A component that suspends while it loads. When its file cannot be loaded, the page is loaded again. */
export function lazyComponent<Props>(fetch: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  const { load, preload } = lazy(fetch)
  const Component: ComponentType<Props> = reactLazy(async () => ({ default: await load().catch(recover) }))
  return Object.assign(Component, { load, preload })
}

const KEY = 'reloaded-at'
const GUARD_MS = 10_000

interface RecoveryFacts {
  now: number
  reloadedAt: number
  isOnline: boolean
  isReloadHeld: boolean
}

/** What to do when a file cannot be loaded; usually a new build has replaced it. */
export function decideRecovery(facts: RecoveryFacts): 'reload' | 'offer' | 'give-up' {
  if (!facts.isOnline || facts.now - facts.reloadedAt < GUARD_MS) return 'give-up'
  return facts.isReloadHeld ? 'offer' : 'reload'
}

/** Reloads the page once, or throws the error for the error page. */
function recover(cause: unknown): Promise<never> {
  const isOnline = navigator.onLine
  const now = Date.now()
  const reloadedAt = Number(sessionStorage.getItem(KEY) ?? 0)
  const recovery = decideRecovery({ now, reloadedAt, isOnline, isReloadHeld: isReloadHeld() })
  if (recovery === 'reload') {
    sessionStorage.setItem(KEY, String(now))
    location.reload()
    return new Promise(() => undefined)
  }
  if (recovery === 'offer') offerUpdate().catch(() => undefined)
  if (isOnline) throw cause
  throw new ApiError({
    status: 0,
    code: 'network',
    message: 'Эта часть ещё не загружена. Проверьте интернет и повторите.',
  })
}

/** Not in the first load: reloads are held only on signed-in pages, whose frame has the module. */
async function offerUpdate() {
  const { showUpdate } = await import('./show-update.ts')
  showUpdate()
}
