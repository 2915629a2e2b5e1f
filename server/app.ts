import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Auth } from './auth/auth.ts'
import { sessionOf } from './auth/session.ts'
import type { Db } from './db/client.ts'
import { buildRoutes } from './features/builds/routes.ts'
import { modelRoutes } from './features/models/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import type { Publish } from './http/context.ts'
import { answerError, answerNotFound } from './http/errors.ts'
import type { App, Env } from './http/route.ts'
import type { Log } from './lib/log.ts'

/** Everything the server is made of, opened by main.ts or by a test. */
export interface Deps {
  auth: Auth
  db: Db
  log: Log
  publish: Publish
  buildId: () => string
}

export function createApp(deps: Deps): App {
  const app: App = new Hono<Env>()
  app.onError(answerError)
  app.notFound(answerNotFound)
  app.use(async (c, next) => {
    const requestId = randomUUID()
    c.set('requestId', requestId)
    c.set('log', deps.log.child({ requestId }))
    c.set('db', deps.db)
    c.set('publish', deps.publish)
    c.set('sessionOf', (headers) => sessionOf(deps.auth, headers))
    await next()
    c.header('x-request-id', requestId)
  })
  app.on(['GET', 'POST'], '/api/auth/*', (c) => deps.auth.handler(c.req.raw))
  userRoutes(app)
  modelRoutes(app)
  buildRoutes(app, deps.buildId)
  return app
}
