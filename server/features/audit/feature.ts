import type { Feature } from '../feature.ts'
import { auditRoutes } from './routes.ts'
import { auditFactorChange, watchSignInActions } from './sign-in-actions.ts'

export const audit: Feature = {
  name: 'audit',
  open: ({ db, hooks }) => {
    hooks.factorChange.push((change) => auditFactorChange(db, change))
    hooks.adminCall.push(watchSignInActions)
    return { routes: auditRoutes }
  },
}
