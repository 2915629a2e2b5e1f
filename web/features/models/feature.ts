import type { Feature } from '#web/lib/feature.ts'
import { Cpu } from '#web/ui/icons.ts'

export const feature: Feature<'models'> = {
  screens: {
    'admin-models': {
      title: 'Модели',
      load: () => import('./screens/models.tsx'),
      adminPage: { group: 'setup', Icon: Cpu, keywords: 'управление нейросети' },
    },
    'admin-models-add': { title: 'Новая модель', load: () => import('./screens/model.tsx') },
    'admin-models-id': { title: 'Модель', load: () => import('./screens/model.tsx') },
  },
}
