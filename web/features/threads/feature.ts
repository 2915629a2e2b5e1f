import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'threads'> = {
  screens: {
    threads: { title: 'Чаты', load: () => import('./screens/threads.tsx') },
    'shared-id': { title: 'Чат по ссылке', load: () => import('./screens/shared.tsx') },
  },
}
