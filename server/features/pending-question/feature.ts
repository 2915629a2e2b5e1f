import type { Feature } from '../feature.ts'
import { pendingQuestionRoutes } from './routes.ts'

export const pendingQuestion: Feature = {
  name: 'pending-question',
  isOptional: true,
  open: ({ auth }) => ({ routes: (app) => pendingQuestionRoutes(app, auth) }),
}
