import { findScreen, type ScreenName } from '#contract/screens.ts'
import { createPreloadQueue } from '#web/lib/preload.ts'
import { lazyPart, type Part } from './lazy-part.ts'

export interface ScreenProps {
  screen: ScreenName
  params: Record<string, string>
}

export const framePart = lazyPart(async () => (await import('./frame/frame.tsx')).Frame)

const coming = lazyPart<ScreenProps>(async () => (await import('#web/screens/coming.tsx')).ComingScreen)

const plan = lazyPart<ScreenProps>(async () => (await import('#web/screens/admin/plan.tsx')).PlanScreen)
const model = lazyPart<ScreenProps>(async () => (await import('#web/screens/admin/model.tsx')).ModelScreen)
const promoCode = lazyPart<ScreenProps>(async () => (await import('#web/screens/admin/promocode.tsx')).PromoCodeScreen)

const own: Partial<Record<ScreenName, Part<ScreenProps>>> = {
  index: lazyPart(async () => (await import('#web/screens/home.tsx')).HomeScreen),
  help: lazyPart(async () => (await import('#web/screens/help.tsx')).HelpScreen),
  'help-slug': lazyPart<ScreenProps>(async () => (await import('#web/screens/help-page.tsx')).HelpPageScreen),
  'auth-signin': lazyPart(async () => (await import('#web/screens/auth/signin.tsx')).SignInScreen),
  'auth-email-sended': lazyPart(async () => (await import('#web/screens/auth/email-sended.tsx')).EmailSentScreen),
  threads: lazyPart(async () => (await import('#web/screens/threads.tsx')).ThreadsScreen),
  'threads-id': lazyPart<ScreenProps>(async () => (await import('#web/screens/thread.tsx')).ThreadScreen),
  'shared-id': lazyPart<ScreenProps>(async () => (await import('#web/screens/shared.tsx')).SharedScreen),
  prompts: lazyPart(async () => (await import('#web/screens/prompts.tsx')).PromptsScreen),
  'prompts-add': lazyPart(async () => (await import('#web/screens/prompts-add.tsx')).PromptAddScreen),
  'prompts-id': lazyPart<ScreenProps>(async () => (await import('#web/screens/prompts-id.tsx')).PromptScreen),
  promptcms: lazyPart(async () => (await import('#web/screens/promptcms.tsx')).PromptCmsScreen),
  profile: lazyPart(async () => (await import('#web/screens/profile.tsx')).ProfileScreen),
  'admin-plans': lazyPart(async () => (await import('#web/screens/admin/plans.tsx')).PlansScreen),
  'admin-plans-add': plan,
  'admin-plans-id': plan,
  'admin-models': lazyPart(async () => (await import('#web/screens/admin/models.tsx')).ModelsScreen),
  'admin-models-add': model,
  'admin-models-id': model,
  'admin-promocodes': lazyPart(async () => (await import('#web/screens/admin/promocodes.tsx')).PromoCodesScreen),
  'admin-promocodes-add': promoCode,
  'admin-promocodes-id': promoCode,
  'admin-tokens-bundles': lazyPart(
    async () => (await import('#web/screens/admin/tokens-bundles.tsx')).TokenBundlesScreen,
  ),
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
