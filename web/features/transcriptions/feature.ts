import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'transcriptions'> = {
  isOptional: true,
  screens: {
    transcribe: { title: 'Расшифровка', load: () => import('./screens/transcribe.tsx') },
  },
}
