import { backupMarkPath } from '#server/archive/last-backup.ts'
import type { Core, Feature } from '../feature.ts'
import { databaseGauges } from './figures.ts'
import { healthRoutes } from './routes.ts'

export const health = {
  name: 'health',
  open: ({ db, health, settings }: Core) => {
    const mark = 'url' in settings.database ? null : backupMarkPath(settings.dataDir)
    return { handle: { readFigures: () => databaseGauges(db, mark) }, routes: (app) => healthRoutes(app, health) }
  },
} satisfies Feature
