import { apiKeysAdminApi, apiKeysApi } from '#contract/api-keys.ts'
import { endApiKeysOf } from '#server/auth/devices.ts'
import { type App, route } from '#server/http/route.ts'
import { endKeyOfUser, keysOfUser, readAccess, setAccess } from './admin.ts'
import { type ApiKeyDeps, createKey, endKey, listKeys, spendingByKey, updateKey } from './api-keys.ts'

export function apiKeyRoutes(app: App, deps: ApiKeyDeps) {
  route(app, apiKeysAdminApi.access, (ctx) => readAccess(ctx))
  route(app, apiKeysAdminApi.setAccess, (ctx, { body }) => setAccess(ctx, body))
  route(app, apiKeysAdminApi.ofUser, (ctx, { params }) => keysOfUser(ctx, params.id))
  route(app, apiKeysAdminApi.end, (ctx, { params }) => endKeyOfUser(ctx, params.id, params.keyId))
  route(app, apiKeysApi.list, (ctx) => listKeys(ctx, deps))
  route(app, apiKeysApi.create, (ctx, { body }) => createKey(ctx, deps, body), { limit: 'heavy' })
  route(app, apiKeysApi.update, (ctx, { params, body }) => updateKey(ctx, params.id, body))
  route(app, apiKeysApi.end, ({ db, user }, { params }) => endKey(db, user.id, params.id))
  route(app, apiKeysApi.endAll, async ({ db, user }) => ({ ended: await endApiKeysOf(db, user.id) }))
  route(app, apiKeysApi.spending, (ctx) => spendingByKey(ctx), { limit: 'lists' })
}
