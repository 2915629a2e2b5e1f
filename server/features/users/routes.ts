import { usersApi } from '#contract/users.ts'
import { USER_EXPORT, USERS_CSV, UserQuery, usersAdminApi } from '#contract/users-admin.ts'
import { type App, admitUser, check, mustBeOwnPage, route } from '#server/http/route.ts'
import { exportUser } from './data-export.ts'
import { readCard } from './user-card.ts'
import { listUsers, usersCsv } from './user-list.ts'
import { changeProfile, readProfile } from './users.ts'

export function userRoutes(app: App) {
  route(app, usersAdminApi.list, (ctx, { query }) => listUsers(ctx, query))
  route(app, usersAdminApi.card, (ctx, { params }) => readCard(ctx, params.id))
  // Before `/:id`, so that «csv» is not read as an id.
  app.get(USERS_CSV, async (c) =>
    usersCsv(await admitUser(c, 'admin', { limit: 'tables', proof: 'fresh' }), check(UserQuery, c.req.query())),
  )
  app.get(USER_EXPORT, async (c) => {
    mustBeOwnPage(c, 'empty', 'document')
    const id = c.req.param('id')
    const ctx = await admitUser(c, 'user', { impersonation: 'refused', limit: 'data-export' })
    if (ctx.user.role === 'admin' && id !== ctx.user.id)
      await admitUser(c, 'admin', { impersonation: 'refused', proof: 'fresh' })
    return exportUser(ctx, id)
  })

  route(app, usersApi.me, (ctx) => readProfile(ctx, ctx.user.id))
  route(app, usersApi.get, (ctx, { params }) => readProfile(ctx, params.id))
  route(app, usersApi.update, (ctx, { params, body }) => changeProfile(ctx, params.id, body))
}
