import { backupMarkPath } from '#server/archive/last-backup.ts'
import type { Core, Feature } from '../feature.ts'
import { gatewayStates } from '../payments/gateway-states.ts'
import { databaseGauges } from './figures.ts'
import { healthRoutes } from './routes.ts'

export const health = {
  name: 'health',
  open: ({ db, health, shops, settings }: Core) => {
    const mark = 'url' in settings.database ? null : backupMarkPath(settings.dataDir)
    return {
      handle: { readFigures: () => databaseGauges(db, mark) },
      routes: (app) => healthRoutes(app, health, () => gatewayStates({ db, shops, appUrl: settings.appUrl })),
    }
  },
} satisfies Feature
