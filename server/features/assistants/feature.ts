import { answers } from '../answers/feature.ts'
import type { Feature } from '../feature.ts'
import { files } from '../files/feature.ts'
import { assistantRoutes } from './routes.ts'

export const assistants: Feature = {
  name: 'assistants',
  isOptional: true,
  open: ({ features, instance }) => {
    const { findPassages, providers, takeStream } = features.get(answers)
    return {
      routes: (app) => assistantRoutes(app, { ...features.get(files), findPassages, providers, takeStream, instance }),
    }
  },
}
