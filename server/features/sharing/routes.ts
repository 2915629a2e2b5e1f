import * as z from 'zod/mini'
import { exportFormats, threadsApi } from '#contract/threads.ts'
import type { Totals } from '#server/http/limit-table.ts'
import { createSlots } from '#server/http/limits.ts'
import { type App, admitUser, check, route } from '#server/http/route.ts'
import { exportThread } from './export.ts'
import { readShared, shareThread, unshareThread } from './share.ts'

const SLOT_TAKEN = 'Предыдущий документ ещё готовится. Дождитесь его и повторите.'

const ExportQuery = z.object({ format: z.enum(exportFormats, { error: 'Бывает md, json и docx' }) })
const Path = z.object({ id: z.string() })

export function sharingRoutes(app: App, totals: Totals) {
  const takeSlot = createSlots('making-documents', totals['making-documents'], SLOT_TAKEN)
  route(app, threadsApi.share, (ctx, { params }) => shareThread(ctx, params.id), { limit: 'shares' })
  route(app, threadsApi.unshare, (ctx, { params }) => unshareThread(ctx, params.id))
  app.use(threadsApi.shared.path, async (c, next) => {
    await next()
    c.res.headers.set('cache-control', 'no-store')
    c.res.headers.set('x-robots-tag', 'noindex, nofollow')
  })
  route(app, threadsApi.shared, (ctx, { params }) => readShared(ctx, params.shareId), { limit: 'shared-read' })
  app.get('/api/threads/:id/export', async (c) => {
    const ctx = await admitUser(c, 'user', { limit: 'thread-export' })
    const { format } = check(ExportQuery, c.req.query())
    return exportThread(ctx, takeSlot, check(Path, c.req.param()).id, format)
  })
}
