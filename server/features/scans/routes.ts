import { scansApi } from '#contract/scans.ts'
import { type App, route } from '#server/http/route.ts'
import { getScan, pagePicture, type ScanRouteDeps, startScan, stopScan } from './scans.ts'

export function scanRoutes(app: App, deps: ScanRouteDeps) {
  route(app, scansApi.get, (ctx, { params }) => getScan(ctx, deps, params.fileId))
  route(app, scansApi.start, (ctx, { params, body }) => startScan(ctx, deps, params.fileId, body), { limit: 'models' })
  route(app, scansApi.stop, (ctx, { params }) => stopScan(ctx, deps, params.fileId))
  route(app, scansApi.picture, (ctx, { params }, c) => pagePicture(ctx, deps, params, c.req.raw.signal), {
    limit: 'page-pictures',
  })
}
