import type { Queue } from '#server/instances/queue.ts'
import type { Feature } from '../feature.ts'
import { createMinutesQueue } from './queue.ts'
import { minutesRoutes } from './routes.ts'

export const minutes: Feature<Queue> = {
  name: 'minutes',
  isOptional: true,
  open: (core) => {
    const minutesQueue = createMinutesQueue(core)
    const mostAtOnce = core.settings.limits.totals['making-minutes']
    return {
      handle: minutesQueue,
      routes: (app) => minutesRoutes(app, { minutesQueue, mostAtOnce }),
      sweeps: [minutesQueue.sweep],
      close: minutesQueue.close,
    }
  },
}
