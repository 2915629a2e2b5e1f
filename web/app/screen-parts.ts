import { findScreen, type ScreenName } from '#contract/screens.ts'
import { createPreloadQueue } from '#web/lib/preload.ts'
import { lazyPart, type Part } from './lazy-part.ts'

export interface ScreenProps {
  screen: ScreenName
  params: Record<string, string>
}

export const framePart = lazyPart(async () => (await import('./frame/frame.tsx')).Frame)

type DeskName = Extract<ScreenName, `admin-${string}`>

const own: Record<Exclude<ScreenName, DeskName>, Part<ScreenProps>> = {
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
  assistants: lazyPart(async () => (await import('#web/screens/assistants.tsx')).AssistantsScreen),
  'assistants-create': lazyPart(async () => (await import('#web/screens/assistants-create.tsx')).AssistantCreateScreen),
  'assistants-id-edit': lazyPart<ScreenProps>(
    async () => (await import('#web/screens/assistants-id-edit.tsx')).AssistantEditScreen,
  ),
  images: lazyPart(async () => (await import('#web/screens/images.tsx')).ImagesScreen),
  transcribe: lazyPart(async () => (await import('#web/screens/transcribe.tsx')).TranscribeScreen),
  profile: lazyPart(async () => (await import('#web/screens/profile.tsx')).ProfileScreen),
}

const desk: Partial<Record<DeskName, Part<ScreenProps>>> = {}

export function screenPart(screen: ScreenName): Part<ScreenProps> {
  return isDesk(screen) ? deskPart(screen) : own[screen]
}

const isDesk = (screen: ScreenName): screen is DeskName => screen.startsWith('admin-')

/** The owner's screens are listed on their own side: everybody else's first page is spared their names. */
function deskPart(screen: DeskName): Part<ScreenProps> {
  desk[screen] ??= lazyPart(async () => (await import('#web/screens/admin/desk.ts')).deskScreen(screen))
  return desk[screen]
}

const preload = createPreloadQueue()

/** Begins to load what an address will show. */
export function preloadPlace(pathname: string): void {
  const place = findScreen(pathname)
  if (!place) return
  if (place.layout !== 'no-auth') preload('frame', framePart.preload)
  preload(place.screen, screenPart(place.screen).preload)
}
