import type { Feature } from '#web/lib/feature.ts'
import { ChartColumn } from '#web/ui/icons.ts'

export const feature: Feature<'statistics'> = {
  isOptional: true,
  screens: {
    'admin-statistic': {
      title: 'Статистика',
      load: () => import('./screens/statistic.tsx'),
      adminPage: { Icon: ChartColumn, keywords: 'управление графики отчёт' },
    },
  },
}
