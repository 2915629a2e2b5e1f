import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'imports'> = {
  isOptional: true,
  screens: {
    imports: { title: 'Перенос чатов', load: () => import('./screens/import.tsx') },
  },
}
