import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'images'> = {
  isOptional: true,
  screens: {
    images: { title: 'Изображения', load: () => import('./screens/images.tsx') },
  },
}
