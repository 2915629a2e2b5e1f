import type { ComponentType } from 'react'
import type { ScreenName } from '#contract/screens.ts'

type Screen = ComponentType<{ screen: ScreenName; params: Record<string, string> }>

const screens = {
  'auth-second-factor': async () => (await import('./auth/second-factor.tsx')).SecondFactorScreen,
  'prompts-add': async () => (await import('./prompts-add.tsx')).PromptAddScreen,
  'prompts-id': async () => (await import('./prompts-id.tsx')).PromptScreen,
  promptcms: async () => (await import('./promptcms.tsx')).PromptCmsScreen,
  assistants: async () => (await import('./assistants.tsx')).AssistantsScreen,
  'assistants-create': async () => (await import('./assistants-create.tsx')).AssistantCreateScreen,
  'assistants-id-edit': async () => (await import('./assistants-id-edit.tsx')).AssistantEditScreen,
  images: async () => (await import('./images.tsx')).ImagesScreen,
  transcribe: async () => (await import('./transcribe.tsx')).TranscribeScreen,
} satisfies Partial<Record<ScreenName, () => Promise<Screen>>>
type LazyScreenName = keyof typeof screens

/** A screen that few people begin with, loaded when it is asked for. */
export function loadScreen(screen: LazyScreenName): Promise<Screen> {
  return screens[screen]()
}
