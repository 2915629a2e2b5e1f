import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'chat'> = {
  screens: {
    index: { title: 'Новый чат', load: () => import('./screens/home.tsx') },
    'threads-id': { title: 'Чат', load: () => import('./screens/thread.tsx') },
  },
}
