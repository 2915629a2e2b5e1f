import type { Feature } from '#web/lib/feature.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { Scale } from '#web/ui/icons.ts'

const WaitingDisputes = lazyComponent(async () => (await import('./waiting-disputes.tsx')).WaitingDisputes)

export const feature: Feature<'disputes'> = {
  isOptional: true,
  screens: {
    'admin-disputes': {
      title: 'Оспоренные списания',
      load: () => import('./screens/disputes.tsx'),
      adminPage: {
        group: 'people',
        Icon: Scale,
        label: 'Оспоренное',
        keywords: 'управление споры списания возврат жалобы',
        Badge: WaitingDisputes,
      },
    },
    'admin-disputes-id': { title: 'Оспоренное списание', load: () => import('./screens/dispute.tsx') },
  },
}
