import type { Feature } from '#web/lib/feature.ts'
import { Layers } from '#web/ui/icons.ts'

export const feature: Feature<'plans'> = {
  screens: {
    'admin-plans': {
      title: 'Тарифы',
      load: () => import('./screens/plans.tsx'),
      adminPage: { group: 'money', Icon: Layers, keywords: 'управление подписки цены' },
    },
    'admin-plans-add': { title: 'Новый тариф', load: () => import('./screens/plan.tsx') },
    'admin-plans-id': { title: 'Тариф', load: () => import('./screens/plan.tsx') },
  },
}
