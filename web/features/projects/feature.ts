import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'projects'> = {
  isOptional: true,
  screens: {
    projects: { title: 'Проекты', load: () => import('./screens/projects.tsx') },
    'projects-id': { title: 'Проект', load: () => import('./screens/projects-id.tsx') },
  },
}
