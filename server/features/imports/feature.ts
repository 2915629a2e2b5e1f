import type { Queue } from '#server/instances/queue.ts'
import type { Feature } from '../feature.ts'
import { files } from '../files/feature.ts'
import { projects } from '../projects/feature.ts'
import { createImportQueue, importJobs } from './imports.ts'
import { importRoutes } from './routes.ts'
import { archives } from './rows.ts'

export const imports: Feature<Queue> = {
  name: 'imports',
  isOptional: true,
  stored: [archives],
  open: (core) => {
    const { features, settings } = core
    const handles = { reading: features.get(files), projects: features.find(projects) }
    const deps = { ...core, ...core.files, ...handles, totals: settings.limits.totals }
    const queue = createImportQueue(deps)
    return {
      handle: queue,
      routes: (app) => importRoutes(app, { ...core.files, queue }),
      jobs: importJobs(deps),
      sweeps: [queue.sweep],
      close: queue.close,
    }
  },
}
