import type { Feature } from '#web/lib/feature.ts'
import { FileCheck } from '#web/ui/icons.ts'

export const feature: Feature<'legal'> = {
  screens: {
    'legal-kind': { title: 'Документ', load: () => import('./screens/legal.tsx') },
    'admin-documents': {
      title: 'Документы',
      load: () => import('./screens/documents.tsx'),
      adminPage: {
        group: 'setup',
        Icon: FileCheck,
        keywords: 'управление оферта реквизиты согласия персональные данные политика',
      },
    },
    'admin-documents-kind': { title: 'Документ', load: () => import('./screens/document.tsx') },
  },
}
