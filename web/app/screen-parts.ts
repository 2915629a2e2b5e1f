import { findScreen, type ScreenName } from '#contract/screens.ts'
import { createPreloadQueue } from '#web/lib/preload.ts'
import { lazyPart, type Part } from './lazy-part.ts'

export interface ScreenProps {
  screen: ScreenName
  params: Record<string, string>
}

export const framePart = lazyPart(async () => (await import('./frame/frame.tsx')).Frame)

const coming = lazyPart<ScreenProps>(async () => (await import('#web/screens/coming.tsx')).ComingScreen)

const own: Partial<Record<ScreenName, Part<ScreenProps>>> = {
  index: lazyPart(async () => (await import('#web/screens/home.tsx')).HomeScreen),
  help: lazyPart(async () => (await import('#web/screens/help.tsx')).HelpScreen),
  'help-slug': lazyPart<ScreenProps>(async () => (await import('#web/screens/help-page.tsx')).HelpPageScreen),
  'auth-signin': lazyPart(async () => (await import('#web/screens/auth/signin.tsx')).SignInScreen),
  'auth-email-sended': lazyPart(async () => (await import('#web/screens/auth/email-sended.tsx')).EmailSentScreen),
  profile: lazyPart(async () => (await import('#web/screens/profile.tsx')).ProfileScreen),
}

export function screenPart(screen: ScreenName): Part<ScreenProps> {
  return own[screen] ?? coming
}

const preload = createPreloadQueue()

/** Begins to load what an address will show. */
export function preloadPlace(pathname: string): void {
  const place = findScreen(pathname)
  if (!place) return
  if (place.layout !== 'no-auth') preload('frame', framePart.preload)
  preload(place.screen, screenPart(place.screen).preload)
}
