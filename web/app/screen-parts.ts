import { findScreen, type ScreenName } from '#contract/screens.ts'
import { type LazyComponent, lazyComponent } from '#web/lib/lazy-component.ts'
import { pageUser } from '#web/lib/page-state.ts'

export interface ScreenProps {
  screen: ScreenName
  params: Record<string, string>
}

export const LazyFrame = lazyComponent(async () => (await import('./frame/frame.tsx')).Frame)

/** Screens that a visit often starts with; the others are listed in `screens/lazy-screens.ts`. */
const screens = {
  index: lazyComponent(async () => (await import('#web/screens/home.tsx')).HomeScreen),
  help: lazyComponent(async () => (await import('#web/screens/help.tsx')).HelpScreen),
  'help-slug': lazyComponent<ScreenProps>(async () => (await import('#web/screens/help-page.tsx')).HelpPageScreen),
  'auth-signin': lazyComponent(async () => (await import('#web/screens/auth/signin.tsx')).SignInScreen),
  'auth-email-sended': lazyComponent(async () => (await import('#web/screens/auth/email-sended.tsx')).EmailSentScreen),
  threads: lazyComponent(async () => (await import('#web/screens/threads.tsx')).ThreadsScreen),
  'threads-id': lazyComponent<ScreenProps>(async () => (await import('#web/screens/thread.tsx')).ThreadScreen),
  'shared-id': lazyComponent<ScreenProps>(async () => (await import('#web/screens/shared.tsx')).SharedScreen),
} satisfies Partial<Record<ScreenName, LazyComponent<ScreenProps>>>

type KnownName = keyof typeof screens
const isKnown = (screen: ScreenName): screen is KnownName => screen in screens
const others: Partial<Record<ScreenName, LazyComponent<ScreenProps>>> = {}

export function screenComponent(screen: ScreenName): LazyComponent<ScreenProps> {
  if (isKnown(screen)) return screens[screen]
  others[screen] ??= lazyComponent(async () => (await import('#web/screens/lazy-screens.ts')).loadScreen(screen))
  return others[screen]
}

/** The specification's «route preload concurrency». */
const MAX_PARALLEL_LOADS = 4

type Load = () => Promise<unknown>

/** Loads each key once, at most `limit` at a time. A failed load may be requested again. */
export function createPreloadQueue(limit = MAX_PARALLEL_LOADS) {
  const known = new Set<string>()
  const waiting: [key: string, load: Load][] = []
  let running = 0

  async function run(key: string, load: Load) {
    running += 1
    try {
      await load()
    } catch {
      known.delete(key)
    }
    running -= 1
    startNext()
  }

  function startNext() {
    while (running < limit) {
      const next = waiting.shift()
      if (!next) return
      void run(...next)
    }
  }

  return function preload(key: string, load: Load) {
    if (known.has(key)) return
    known.add(key)
    waiting.push([key, load])
    startNext()
  }
}

const preload = createPreloadQueue()

/** Starts loading the screen of an address, and the frame around it. */
export function preloadScreenAt(pathname: string): void {
  const match = findScreen(pathname)
  if (!match) return
  if (match.layout !== 'no-auth') preload('frame', LazyFrame.load)
  preload(match.screen, screenComponent(match.screen).load)
}

/**
 * Loads the first screen before it is rendered: React reveals a suspended part no earlier than 300 ms after it
 * suspended. What cannot be loaded is requested again when it is rendered.
 */
export async function preloadFirstScreen(): Promise<void> {
  const match = findScreen(location.pathname)
  const hasFrame = match?.layout !== 'no-auth'
  if (match && (!hasFrame || pageUser()))
    await Promise.allSettled([screenComponent(match.screen).load(), hasFrame && LazyFrame.load()])
}

/** Preloads the screen of a link that is hovered, focused or touched. */
export function preloadLinks(): () => void {
  const signs = ['pointerover', 'focusin', 'touchstart'] as const
  for (const sign of signs) document.addEventListener(sign, preloadTarget, { passive: true })
  return () => {
    for (const sign of signs) document.removeEventListener(sign, preloadTarget)
  }
}

function preloadTarget({ target }: Event) {
  const link = target instanceof Element ? target.closest('a') : null
  if (link?.href && link.origin === location.origin) preloadScreenAt(link.pathname)
}
