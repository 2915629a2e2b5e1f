import type { Feature } from '#web/lib/feature.ts'
import { ScrollText } from '#web/ui/icons.ts'

export const feature: Feature<'audit'> = {
  isOptional: true,
  screens: {
    'admin-audit': {
      title: 'Журнал',
      load: () => import('./screens/audit.tsx'),
      adminPage: { group: 'setup', Icon: ScrollText, keywords: 'управление аудит действия администраторов история' },
    },
  },
}
