import { setTimeout as pause } from 'node:timers/promises'
import type { Scenario } from '../lib/scenario.ts'
import { until, untilFlowing } from '../lib/stage.ts'
import { allowCut, untilEndedInDatabase } from './killing.ts'
import { writtenBy } from './stopping.ts'

/** Leaves every job in the hands of an instance that is gone, as a killed worker would. */
const BLOCK = `
  update job_runs set instance = 'killed', started_at = now(), next_at = now(), lease_until = now() + interval '1 hour'`
const BLOCKED = `select name from job_runs where instance = 'killed'`

const TAKEN_OVER_SECONDS = 30

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
      await stage.db.query(BLOCK)
      await victim.kill()
      const seconds = await untilEndedInDatabase(stage, cut, 8)
      const isTakenOver = await until(TAKEN_OVER_SECONDS, async () => (await stage.db.query(BLOCKED)).rows.length === 0)
      if (!isTakenOver) stage.fail('задания убитого не взял никто')
      return seconds
    },
  },
]
