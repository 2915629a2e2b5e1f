import type { Queue } from '#server/instances/queue.ts'
import type { Feature } from '../feature.ts'
import { projects } from '../projects/feature.ts'
import { createImportQueue, importJobs } from './imports.ts'
import { importRoutes } from './routes.ts'
import { archives } from './rows.ts'

export const imports: Feature<Queue> = {
  name: 'imports',
  isOptional: true,
  stored: [archives],
  open: (core) => {
    const deps = { ...core, ...core.files, totals: core.settings.limits.totals, projects: core.features.find(projects) }
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
