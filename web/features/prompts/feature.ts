import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'prompts'> = {
  isOptional: true,
  screens: {
    prompts: { title: 'Промпты', load: () => import('./screens/prompts.tsx') },
    'prompts-add': { title: 'Новый промпт', load: () => import('./screens/prompts-add.tsx') },
    'prompts-id': { title: 'Промпт', load: () => import('./screens/prompts-id.tsx') },
    promptcms: { title: 'Мои промпты', load: () => import('./screens/promptcms.tsx') },
  },
}
