import type { Feature } from '../feature.ts'
import { statisticsRoutes } from './routes.ts'
import { statisticsJobs } from './sums.ts'

export const statistics: Feature = {
  name: 'statistics',
  isOptional: true,
  open: ({ db }) => ({ routes: statisticsRoutes, jobs: statisticsJobs(db) }),
}
