import { threadsApi } from '#contract/threads.ts'
import type { Totals } from '#server/http/limit-table.ts'
import { type App, route } from '#server/http/route.ts'
import { searchThreads } from '../search/search.ts'
import { findInThread } from './find-in-thread.ts'
import { forkThread } from './fork.ts'
import { createStorageLimit } from './limits.ts'
import { deleteMessage, editMessage } from './messages.ts'
import { createThread, deleteThread, listThreads, readThread, updateThread } from './threads.ts'
import { regenerateTitle, type TitleDeps } from './title.ts'

export function threadRoutes(app: App, deps: TitleDeps & { totals: Totals }) {
  const { totals } = deps
  const checkStorageLimit = createStorageLimit(totals['stored-megabytes'])
  const mostThreads = totals['stored-threads']
  const forkLimits = { checkStorageLimit, mostThreads, mostMessages: totals['fork-messages'] }
  route(
    app,
    threadsApi.list,
    (ctx, { query }) => (query.query?.trim() ? searchThreads(ctx, query) : listThreads(ctx, query)),
    { limit: 'lists' },
  )
  route(app, threadsApi.create, (ctx, { body }) => createThread(ctx, deps.providers, mostThreads, body))
  route(app, threadsApi.get, (ctx, { params, query }) => readThread(ctx, params.id, query.cursor))
  route(app, threadsApi.find, (ctx, { params, query }) => findInThread(ctx, params.id, query.query), { limit: 'lists' })
  route(app, threadsApi.update, (ctx, { params, body }) => updateThread(ctx, deps.providers, params.id, body))
  route(app, threadsApi.delete, (ctx, { params, query }) => deleteThread(ctx, params.id, query.forever === '1'))
  route(app, threadsApi.rename, (ctx, { params }) => regenerateTitle(ctx, deps, params.id), { limit: 'heavy' })
  route(app, threadsApi.fork, (ctx, { params, body }) => forkThread(ctx, forkLimits, params.id, body.messageId), {
    limit: 'heavy',
  })
  route(app, threadsApi.editMessage, (ctx, { params, body }) =>
    editMessage(ctx, checkStorageLimit, params.id, params.messageId, body.content),
  )
  route(app, threadsApi.deleteMessage, (ctx, { params }) => deleteMessage(ctx, params.id, params.messageId))
}
