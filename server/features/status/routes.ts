import { statusApi } from '#contract/status.ts'
import type { Db } from '#server/db/client.ts'
import { type App, route } from '#server/http/route.ts'
import { readSetup, type SetupPlace } from './setup.ts'
import { createStatus, type Services } from './status.ts'

export function statusRoutes(app: App, db: Db, services: Services, place: Omit<SetupPlace, 'db'>) {
  const readStatus = createStatus(db, services)
  route(app, statusApi.get, () => readStatus())
  route(app, statusApi.setup, async () => readSetup({ db, ...place }, await readStatus()))
}
