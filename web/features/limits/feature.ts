import type { Feature } from '#web/lib/feature.ts'
import { Gauge } from '#web/ui/icons.ts'

export const feature: Feature<'limits'> = {
  isOptional: true,
  screens: {
    'admin-limits': {
      title: 'Ограничения',
      load: () => import('./screens/limits.tsx'),
      adminPage: { group: 'setup', Icon: Gauge, keywords: 'управление лимиты квоты защита отказы' },
    },
  },
}
