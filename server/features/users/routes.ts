import { usersApi } from '#contract/users.ts'
import { type App, route } from '#server/http/route.ts'
import { changeProfile, readProfile } from './users.ts'

export function userRoutes(app: App) {
  route(app, usersApi.me, (ctx) => readProfile(ctx, ctx.user.id))
  route(app, usersApi.get, (ctx, { params }) => readProfile(ctx, params.id))
  route(app, usersApi.update, (ctx, { params, body }) => changeProfile(ctx, params.id, body))
}
