import { usersApi } from '#contract/users.ts'
import { usersAdminApi } from '#contract/users-admin.ts'
import { type App, admit, route } from '#server/http/route.ts'
import { exportUser } from './data-export.ts'
import { readCard } from './user-card.ts'
import { listUsers, usersCsv } from './user-list.ts'
import { changeProfile, readProfile } from './users.ts'
import { wordsKeyOf } from './words-key.ts'

export function userRoutes(app: App, wordsKey: Buffer) {
  route(app, usersAdminApi.list, (ctx, { query }) => listUsers(ctx, query))
  route(app, usersAdminApi.card, (ctx, { params }) => readCard(ctx, params.id))
  // Before `/:id`, so that «csv» is not read as an id.
  route(app, usersAdminApi.csv, (ctx, { query }) => usersCsv(ctx, query), { limit: 'downloads' })
  route(
    app,
    usersApi.export,
    async (ctx, { params: { id } }, c) => {
      if (ctx.user.role === 'admin' && id !== ctx.user.id) await admit(c, { who: 'admin', proof: 'fresh' })
      return exportUser(ctx, id)
    },
    { limit: 'heavy' },
  )

  route(app, usersApi.me, (ctx) => readProfile(ctx, ctx.user.id))
  route(app, usersApi.wordsKey, (ctx) => wordsKeyOf(wordsKey, ctx.user.id))
  route(app, usersApi.get, (ctx, { params }) => readProfile(ctx, params.id))
  route(app, usersApi.update, (ctx, { params, body }) => changeProfile(ctx, params.id, body))
}
