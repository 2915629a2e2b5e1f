import { setTimeout as pause } from 'node:timers/promises'
import type { Scenario } from '../lib/scenario.ts'
import { untilFlowing } from '../lib/stage.ts'
import { allowCut, untilEndedInDatabase } from './killing.ts'
import { writtenBy } from './stopping.ts'

/** Leaves every sweep of the queue active, as a killed worker would. */
const BLOCK = `
  insert into jobs.job (name, state, policy, started_on)
  select name, 'active', policy, now() from jobs.queue where name ~ 'sweep|recover|look|read'
  on conflict do nothing`

export const jobs: Scenario[] = [
  {
    id: '25',
    name: 'работник очереди убит посреди уборки',
    run: async (stage) => {
      await untilFlowing(stage.askAll({ words: 300 }))
      await pause(3000)
      const victim = stage.at(2)
      const cut = writtenBy(stage, victim)
      allowCut(cut)
      // Without a queue for sweeps the statement fails, and nothing has to be blocked.
      await stage.db.query(BLOCK).catch(() => undefined)
      await victim.kill()
      return untilEndedInDatabase(stage, cut, 8)
    },
  },
]
