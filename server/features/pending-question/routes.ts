import { pendingQuestionApi } from '#contract/pending-question.ts'
import type { Auth } from '#server/auth/auth.ts'
import { forgetPendingQuestion, readPendingQuestion } from '#server/auth/pending-question.ts'
import { type App, route } from '#server/http/route.ts'

export function pendingQuestionRoutes(app: App, { options }: Auth) {
  const settings = { secret: options.secret, appUrl: options.baseURL }
  route(app, pendingQuestionApi.read, ({ db, user }, _input, c) =>
    readPendingQuestion({ ...settings, db }, c.req.raw.headers, user.email),
  )
  route(app, pendingQuestionApi.forget, async ({ db, user }, _input, c) => {
    c.header('set-cookie', await forgetPendingQuestion({ ...settings, db }, c.req.raw.headers, user.email))
    return { success: true }
  })
}
