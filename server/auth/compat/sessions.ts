import { createAuthEndpoint, sessionMiddleware } from 'better-auth/api'
import { parseSessionOutput } from 'better-auth/db'

/** The library shows the list to fresh sessions only; whoever suspects a stranger inside must see it at once. */
export const sessionEndpoints = {
  listSessions: createAuthEndpoint('/list-sessions', { method: 'GET', use: [sessionMiddleware] }, async (ctx) => {
    const { user } = ctx.context.session
    const sessions = await ctx.context.internalAdapter.listSessions(user.id, { onlyActiveSessions: true })
    const newestFirst = sessions.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
    return ctx.json(newestFirst.map((session) => parseSessionOutput(ctx.context.options, session)))
  }),
}
