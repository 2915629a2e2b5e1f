import type { Feature } from '../feature.ts'
import { ratingRoutes } from './routes.ts'

export const ratings: Feature = {
  name: 'ratings',
  isOptional: true,
  open: () => ({ routes: ratingRoutes }),
}
