import type { Feature } from '#web/lib/feature.ts'
import { TicketPercent } from '#web/ui/icons.ts'

export const feature: Feature<'promocodes'> = {
  isOptional: true,
  screens: {
    'admin-promocodes': {
      title: 'Промокоды',
      load: () => import('./screens/promocodes.tsx'),
      adminPage: { group: 'money', Icon: TicketPercent, keywords: 'управление скидки купоны' },
    },
    'admin-promocodes-add': { title: 'Новый промокод', load: () => import('./screens/promocode.tsx') },
    'admin-promocodes-id': { title: 'Промокод', load: () => import('./screens/promocode.tsx') },
  },
}
