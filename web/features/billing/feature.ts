import type { Feature } from '#web/lib/feature.ts'
import { Package } from '#web/ui/icons.ts'

export const feature: Feature<'billing'> = {
  screens: {
    'admin-tokens-bundles': {
      title: 'Пакеты символов',
      load: () => import('./screens/tokens-bundles.tsx'),
      adminPage: { Icon: Package, keywords: 'управление' },
    },
  },
}
