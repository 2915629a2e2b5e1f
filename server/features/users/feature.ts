import { keyFor } from '#server/lib/secrets.ts'
import type { Feature } from '../feature.ts'
import { userRoutes } from './routes.ts'
import { ensureProfile } from './users.ts'

export const users: Feature = {
  name: 'users',
  open: ({ db, hooks, settings }) => {
    hooks.signIn.push(({ userId }) => ensureProfile(db, userId))
    return { routes: (app) => userRoutes(app, keyFor(settings.secret, 'unsent words')) }
  },
}
