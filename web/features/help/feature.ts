import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'help'> = {
  screens: {
    help: { title: 'Помощь', load: () => import('./screens/help.tsx') },
    'help-slug': { title: 'Помощь', load: () => import('./screens/help-page.tsx') },
  },
}
