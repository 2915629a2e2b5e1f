import { isClean, judgeAnswers, noFindings, stuckWork } from './judge.ts'
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

const INSTANCES = 3
const END_SECONDS = 20
const WORK_ENDS_SECONDS = 10

/**
 * Runs scenarios one after another and judges the result of each. Those without own settings share instances, as faults
 * would in production, until one of them fails; each of the others gets its own database and instances.
 */
export function createRunner(drill: Drill): (scenario: Scenario) => Promise<Row> {
  let shared: Stage | null = null

  async function stageFor(scenario: Scenario): Promise<Stage> {
    const { id, instances = INSTANCES, env } = scenario
    if (isPlain(scenario) && shared) return reuse(shared)
    const database = `drill_${id.replaceAll(/\W/g, '_')}`
    await drill.postgres.create(database, BASE)
    const stage = await openStage(drill, database, env)
    await startInstances(stage, ['a', 'b', 'c'].slice(0, instances)).catch((error: Error) => stage.fail(error.message))
    return stage
  }

  return async (scenario) => {
    const stage = await stageFor(scenario)
    const row = await runOn(stage, scenario)
    const isSaved = isPlain(scenario) && isClean(row)
    if (!isSaved) await close(stage)
    if (isPlain(scenario)) shared = isSaved ? stage : null
    return row
  }
}

const isPlain = ({ env, instances }: Scenario) => env === undefined && instances === undefined

function reuse(stage: Stage): Stage {
  stage.answers = []
  Object.assign(stage.findings, noFindings())
  stage.balancer.use(stage.instances)
  return stage
}

async function close({ instances, db }: Stage) {
  await Promise.all(instances.map((instance) => instance.kill()))
  await db.end()
}

async function runOn(stage: Stage, { id, name, endSeconds = END_SECONDS, run }: Scenario): Promise<Row> {
  let seconds: number | null = null
  let skipped: string | null = null
  try {
    const outcome = await run(stage)
    if (outcome !== null && typeof outcome === 'object') skipped = outcome.skipped
    else seconds = outcome
  } catch (error) {
    stage.fail(error instanceof Error ? error.message : String(error))
  }
  if (!skipped) {
    await restore(stage)
    await untilEnded(stage.answers, endSeconds)
    await judge(stage)
  }
  for (const { readings } of stage.answers) for (const reading of readings) reading.leave()
  return { id, name, seconds, skipped, ...stage.findings }
}

/** Restarts all services and instances before the result is judged. */
async function restore({ postgres, redis, s3, instances, fail }: Stage) {
  await Promise.all([postgres.restore(), redis.restore(), s3.restore()])
  const started = instances.map(async (instance) => {
    instance.thaw()
    if (!instance.isRunning()) await instance.start().catch((error: Error) => fail(error.message))
  })
  await Promise.all(started)
}

async function judge(stage: Stage) {
  const { db, provider, answers, findings } = stage
  let stuck: string[] = []
  await until(WORK_ENDS_SECONDS, async () => {
    stuck = await stuckWork(db).catch(() => ['база не отвечает'])
    return stuck.length === 0
  })
  findings.stuck += stuck.length
  const found = await judgeAnswers(db, provider, answers)
  for (const column of ['lost', 'duplicated', 'charges', 'failed', 'stuck', 'errors'] as const)
    findings[column] += found[column]
  const problems = await reconcileProblems(stage)
  findings.charges += problems.length
  findings.details.push(...found.details, ...stuck, ...problems.map((line) => `reconcile: ${line}`))
}
