import { files as table } from '#server/db/schema.ts'
import type { Feature } from '../feature.ts'
import { knowledge } from '../knowledge/feature.ts'
import { byColumn } from '../storage/kinds.ts'
import { fileJobs, UPLOADS } from './files.ts'
import { type FileReadingDeps, fileSweep } from './reading.ts'
import { fileRoutes } from './routes.ts'

export const files: Feature<FileReadingDeps> = {
  name: 'files',
  stored: [byColumn('файлы', UPLOADS, table, table.storageKey)],
  open: (core) => {
    const deps = { ...core, ...core.files, knowledge: core.features.get(knowledge) }
    return { handle: deps, routes: (app) => fileRoutes(app, deps), jobs: fileJobs(deps), sweeps: [fileSweep(deps)] }
  },
}
