import type { Feature } from '../feature.ts'
import { createMinutesQueue, type MinutesQueue, minutesSweep } from './queue.ts'
import { minutesRoutes } from './routes.ts'

export const minutes: Feature<MinutesQueue> = {
  name: 'minutes',
  isOptional: true,
  open: (core) => {
    const minutesQueue = createMinutesQueue(core)
    const mostAtOnce = core.settings.limits.totals['making-minutes']
    return {
      handle: minutesQueue,
      routes: (app) => minutesRoutes(app, { minutesQueue, mostAtOnce }),
      sweeps: [minutesSweep(minutesQueue)],
      close: minutesQueue.close,
    }
  },
}
