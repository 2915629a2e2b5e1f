import { findScreen, type ScreenName } from '#contract/screens.ts'
import { createPreloadQueue } from '#web/lib/preload.ts'
import type { AdminScreenName } from '#web/screens/admin/admin-screens.ts'
import { lazyPart, type Part } from './lazy-part.ts'

export interface ScreenProps {
  screen: ScreenName
  params: Record<string, string>
}

export const framePart = lazyPart(async () => (await import('./frame/frame.tsx')).Frame)

const own = {
  index: lazyPart(async () => (await import('#web/screens/home.tsx')).HomeScreen),
  help: lazyPart(async () => (await import('#web/screens/help.tsx')).HelpScreen),
  'help-slug': lazyPart<ScreenProps>(async () => (await import('#web/screens/help-page.tsx')).HelpPageScreen),
  'auth-signin': lazyPart(async () => (await import('#web/screens/auth/signin.tsx')).SignInScreen),
  'auth-email-sended': lazyPart(async () => (await import('#web/screens/auth/email-sended.tsx')).EmailSentScreen),
  threads: lazyPart(async () => (await import('#web/screens/threads.tsx')).ThreadsScreen),
  'threads-id': lazyPart<ScreenProps>(async () => (await import('#web/screens/thread.tsx')).ThreadScreen),
  'shared-id': lazyPart<ScreenProps>(async () => (await import('#web/screens/shared.tsx')).SharedScreen),
  prompts: lazyPart(async () => (await import('#web/screens/prompts.tsx')).PromptsScreen),
  profile: lazyPart(async () => (await import('#web/screens/profile.tsx')).ProfileScreen),
} satisfies Partial<Record<ScreenName, Part<ScreenProps>>>

type OwnName = keyof typeof own
type LaterName = Exclude<ScreenName, OwnName>
const isOwn = (screen: ScreenName): screen is OwnName => screen in own
const isAdminScreen = (screen: LaterName): screen is AdminScreenName => screen.startsWith('admin-')

const later: Partial<Record<LaterName, Part<ScreenProps>>> = {}

export function screenPart(screen: ScreenName): Part<ScreenProps> {
  return isOwn(screen) ? own[screen] : laterPart(screen)
}

/** What few people begin with is listed on its own side: everybody's first page is spared the names of its files. */
function laterPart(screen: LaterName): Part<ScreenProps> {
  later[screen] ??= lazyPart(async () =>
    isAdminScreen(screen)
      ? (await import('#web/screens/admin/admin-screens.ts')).loadAdminScreen(screen)
      : (await import('#web/screens/lazy-screens.ts')).loadScreen(screen),
  )
  return later[screen]
}

const preload = createPreloadQueue()

/** Begins to load what an address will show. */
export function preloadPlace(pathname: string): void {
  const place = findScreen(pathname)
  if (!place) return
  if (place.layout !== 'no-auth') preload('frame', framePart.preload)
  preload(place.screen, screenPart(place.screen).preload)
}
