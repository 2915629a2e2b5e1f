import { threadsApi } from '#contract/threads.ts'
import type { Totals } from '#server/http/limit-table.ts'
import { createSlots } from '#server/http/limits.ts'
import { type App, route } from '#server/http/route.ts'
import { exportThread } from './export.ts'
import { readShared, shareThread, unshareThread } from './share.ts'

const SLOT_TAKEN = 'Предыдущий документ ещё готовится. Дождитесь его и повторите.'

export function sharingRoutes(app: App, totals: Totals) {
  const takeSlot = createSlots('making-documents', totals['making-documents'], SLOT_TAKEN)
  route(app, threadsApi.share, (ctx, { params }) => shareThread(ctx, params.id), { limit: 'heavy' })
  route(app, threadsApi.unshare, (ctx, { params }) => unshareThread(ctx, params.id))
  route(
    app,
    threadsApi.shared,
    (ctx, { params }, c) => {
      c.header('x-robots-tag', 'noindex, nofollow')
      return readShared(ctx, params.shareId)
    },
    { limit: 'public' },
  )
  route(app, threadsApi.export, (ctx, { params, query }) => exportThread(ctx, takeSlot, params.id, query), {
    limit: 'downloads',
  })
}
