import { judgeAnswers, stuckWork } from './judge.ts'
import type { Scenario } from './scenario.ts'
import {
  BASE,
  type Drill,
  openStage,
  reconcileProblems,
  type Stage,
  startInstances,
  until,
  untilEnded,
} from './stage.ts'
import type { Row } from './table.ts'

const PATIENCE_SECONDS = 20
const WORK_ENDS_SECONDS = 10

/** Runs a scenario on a database and instances of its own, and judges what it leaves. */
export async function runScenario(drill: Drill, scenario: Scenario): Promise<Row> {
  const { id, name, instances = 3, env = {}, patience = PATIENCE_SECONDS } = scenario
  const database = `drill_${id.replaceAll(/\W/g, '_')}`
  await drill.postgres.create(database, BASE)
  const stage = await openStage(drill, database, env)
  let seconds: number | null = null
  let skipped: string | null = null
  try {
    await startInstances(stage, ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, instances))
    const outcome = await scenario.run(stage)
    if (outcome !== null && typeof outcome === 'object') skipped = outcome.skipped
    else seconds = outcome
  } catch (error) {
    stage.fail(error instanceof Error ? error.message : String(error))
  }
  if (!skipped) {
    await heal(stage)
    await untilEnded(stage.answers, patience)
    await judge(stage)
  }
  for (const { readings } of stage.answers) for (const reading of readings) reading.leave()
  await Promise.all(stage.instances.map((instance) => instance.kill()))
  await stage.db.end()
  return { id, name, seconds, skipped, ...stage.faults }
}

/** Everything runs again before it is judged. */
async function heal({ postgres, redis, s3, instances, fail }: Stage) {
  await Promise.all([postgres.heal(), redis.heal(), s3.heal()])
  for (const instance of instances) {
    instance.thaw()
    if (!instance.isRunning()) await instance.start().catch((error: Error) => fail(error.message))
  }
}

async function judge(stage: Stage) {
  const { db, provider, answers, faults } = stage
  let stuck: string[] = []
  await until(WORK_ENDS_SECONDS, async () => {
    stuck = await stuckWork(db).catch(() => ['база не отвечает'])
    return stuck.length === 0
  })
  faults.stuck += stuck.length
  const found = await judgeAnswers(db, provider, answers)
  for (const column of ['lost', 'duplicated', 'charges', 'failed', 'stuck', 'errors'] as const)
    faults[column] += found[column]
  const problems = await reconcileProblems(stage)
  faults.charges += problems.length
  faults.details.push(...found.details, ...stuck, ...problems.map((line) => `reconcile: ${line}`))
}
