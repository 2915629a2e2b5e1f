import { findPdftoppm } from '#server/files/page-picture.ts'
import type { Core, Feature } from '../feature.ts'
import { files } from '../files/feature.ts'
import { type ScanDeps, usualLimits } from './deps.ts'
import { createScanQueue, scanSweep } from './queue.ts'
import { scanRoutes } from './routes.ts'
import type { ScanRouteDeps } from './scans.ts'

export const scans = {
  name: 'scans',
  isOptional: true,
  open: async (core: Core, given?: Partial<Pick<ScanDeps, 'render' | 'limits'>>) => {
    const { limits = usualLimits, render = await findPdftoppm(core.files.incoming) } = given ?? {}
    const deps = { ...core.features.get(files), providers: core.providers, render, limits }
    const scanQueue = createScanQueue(deps)
    const handle = { ...deps, scanQueue }
    return {
      handle,
      routes: (app) => scanRoutes(app, handle),
      sweeps: [scanSweep(scanQueue)],
      close: scanQueue.close,
    }
  },
} satisfies Feature<ScanRouteDeps>
