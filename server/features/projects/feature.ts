import { answers } from '../answers/feature.ts'
import type { Feature } from '../feature.ts'
import { files } from '../files/feature.ts'
import type { ProjectDeps } from './projects.ts'
import { projectRoutes } from './routes.ts'

export const projects: Feature<ProjectDeps> = {
  name: 'projects',
  isOptional: true,
  open: ({ features, settings }) => {
    const { providers } = features.get(answers)
    const handle = { ...features.get(files), providers, most: settings.limits.totals['stored-projects'] }
    return { handle, routes: (app) => projectRoutes(app, handle) }
  },
}
