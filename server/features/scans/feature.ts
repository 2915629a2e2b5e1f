import { findPdftoppm } from '#server/files/page-picture.ts'
import { createRun } from '#server/lib/run-program.ts'
import type { Core, Feature } from '../feature.ts'
import { files } from '../files/feature.ts'
import type { ReadingLimits, ScanDeps } from './pages.ts'
import { createPictures } from './pictures.ts'
import { createScanQueue } from './queue.ts'
import { scanRoutes } from './routes.ts'
import type { ScanRouteDeps } from './scans.ts'

const usualLimits: ReadingLimits = { pageMs: 180_000, pausesMs: [5000, 20_000, 60_000] }

export const scans = {
  name: 'scans',
  isOptional: true,
  open: async (core: Core, given?: Partial<Pick<ScanDeps, 'render' | 'limits'>>) => {
    const {
      limits = usualLimits,
      render = await findPdftoppm(core.files.incoming, createRun(core.settings.programPath)),
    } = given ?? {}
    if (!render) core.health.lacks('pdftoppm')
    const deps = { ...core.features.get(files), providers: core.providers, render, limits }
    const scanQueue = createScanQueue(deps)
    const handle = { ...deps, scanQueue, pictures: createPictures() }
    return {
      handle,
      routes: (app) => scanRoutes(app, handle),
      sweeps: [scanQueue.sweep],
      close: scanQueue.close,
    }
  },
} satisfies Feature<ScanRouteDeps>
