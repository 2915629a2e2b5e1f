import { findScreen, type ScreenName, screens } from '#contract/screens.ts'
import { feature as auth } from '#web/features/auth/feature.ts'
import type { Screen, ScreenProps } from '#web/lib/feature.ts'
import { type LazyComponent, lazyComponent } from '#web/lib/lazy-component.ts'
import { pageUser } from '#web/lib/page-state.ts'

export const LazyFrame = lazyComponent(async () => (await import('./frame/frame.tsx')).Frame)

const components: Partial<Record<ScreenName, LazyComponent<ScreenProps>>> = {}
/** Titles of the screens that are loaded. */
export const titles: Partial<Record<ScreenName, string>> = {}

export function screenComponent(name: ScreenName): LazyComponent<ScreenProps> {
  components[name] ??= lazyComponent(async () => {
    const { title, load } = await loadManifest(name)
    const { default: Component, ready } = await load()
    await ready?.()
    titles[name] = title
    return Component
  })
  return components[name]
}

/** The list of features is in the file of the frame. The sign-in page does without it. */
async function loadManifest(name: ScreenName): Promise<Screen> {
  const known: Partial<Record<ScreenName, Screen>> = auth.screens
  if (known[name]) return known[name]
  const { features } = await import('#web/features/index.ts')
  const found = await features[screens[name].feature]?.load()
  const screen = (found?.feature.screens as typeof known | undefined)?.[name]
  if (!screen) throw new Error(`No feature has the screen ${name}`)
  return screen
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
