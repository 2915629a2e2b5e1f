import { threadsApi } from '#contract/threads.ts'
import type { Limits } from '#server/http/limits.ts'
import { type App, route } from '#server/http/route.ts'
import { searchThreads } from '../search/search.ts'
import { forkThread } from './fork.ts'
import { deleteMessage, editMessage } from './messages.ts'
import { listThreads } from './thread-list.ts'
import { createThread, deleteThread, readThread, updateThread } from './threads.ts'
import { regenerateTitle, type TitleWorld } from './title.ts'

export function threadRoutes(app: App, world: TitleWorld & { limits: Limits }) {
  route(app, threadsApi.list, (ctx, { query }) =>
    query.query?.trim() ? searchThreads(ctx, query) : listThreads(ctx, query),
  )
  route(app, threadsApi.create, (ctx, { body }) => createThread(ctx, body))
  route(app, threadsApi.get, (ctx, { params, query }) => readThread(ctx, params.id, query.cursor))
  route(app, threadsApi.update, (ctx, { params, body }) => updateThread(ctx, params.id, body))
  route(app, threadsApi.delete, (ctx, { params, query }) => deleteThread(ctx, params.id, query.forever === '1'))
  route(app, threadsApi.rename, async (ctx, { params }) => {
    await world.limits('thread-title', ctx.user.id)
    return regenerateTitle(ctx, world, params.id)
  })
  route(app, threadsApi.fork, (ctx, { params, body }) => forkThread(ctx, params.id, body.messageId))
  route(app, threadsApi.editMessage, (ctx, { params, body }) =>
    editMessage(ctx, params.id, params.messageId, body.content),
  )
  route(app, threadsApi.deleteMessage, (ctx, { params }) => deleteMessage(ctx, params.id, params.messageId))
}
