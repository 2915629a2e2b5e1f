import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'assistants'> = {
  isOptional: true,
  screens: {
    assistants: { title: 'Ассистенты', load: () => import('./screens/assistants.tsx') },
    'assistants-create': { title: 'Новый ассистент', load: () => import('./screens/assistants-create.tsx') },
    'assistants-id-edit': { title: 'Ассистент', load: () => import('./screens/assistants-id-edit.tsx') },
  },
}
