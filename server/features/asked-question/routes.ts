import { askedQuestionApi } from '#contract/asked-question.ts'
import { forgetAskedQuestion, readAskedQuestion } from '#server/auth/asked-question.ts'
import type { Auth } from '#server/auth/auth.ts'
import { type App, route } from '#server/http/route.ts'

export function askedQuestionRoutes(app: App, { options }: Auth) {
  const settings = { secret: options.secret, appUrl: options.baseURL }
  route(app, askedQuestionApi.read, ({ db, user }, _input, c) =>
    readAskedQuestion({ ...settings, db }, c.req.raw.headers, user.email),
  )
  route(app, askedQuestionApi.forget, async ({ db, user }, _input, c) => {
    c.header('set-cookie', await forgetAskedQuestion({ ...settings, db }, c.req.raw.headers, user.email))
    return { success: true }
  })
}
