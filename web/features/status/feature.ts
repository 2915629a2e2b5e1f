import type { Feature } from '#web/lib/feature.ts'
import { Activity } from '#web/ui/icons.ts'

export const feature: Feature<'status'> = {
  isOptional: true,
  screens: {
    'admin-status': {
      title: 'Состояние',
      load: () => import('./screens/status.tsx'),
      adminPage: { Icon: Activity, keywords: 'управление работает сбой неполадки серверы мониторинг копии' },
    },
  },
}
