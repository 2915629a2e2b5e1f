import type { Feature } from '../feature.ts'
import type { ApiKeyDeps } from './api-keys.ts'
import { apiKeyRoutes } from './routes.ts'
import { apiKeySecret } from './secret.ts'

export const apiKeys: Feature<ApiKeyDeps> = {
  name: 'api-keys',
  isOptional: true,
  open: ({ db, settings }) => {
    const { appName, appUrl, limits, secret } = settings
    const handle = { db, appName, appUrl, keySecret: apiKeySecret(secret), most: limits.totals['api-keys'] }
    return { handle, routes: (app) => apiKeyRoutes(app, handle) }
  },
}
