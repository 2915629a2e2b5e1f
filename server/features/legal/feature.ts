import type { Feature } from '../feature.ts'
import { assertConsents } from './consents.ts'
import { legalRoutes } from './routes.ts'

export const legal: Feature = {
  name: 'legal',
  open: ({ db, hooks }) => {
    hooks.consents.push((userId) => assertConsents(db, userId))
    return { routes: legalRoutes }
  },
}
