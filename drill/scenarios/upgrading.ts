import type { Instance } from '../lib/instances.ts'
import { makeNextBuild, NEXT_COLUMN, NEXT_INDEX } from '../lib/next-build.ts'
import type { Scenario } from '../lib/scenario.ts'
import { type Stage, secondsSince, untilFlowing } from '../lib/stage.ts'

const WORDS = 160
const DRAIN_SECONDS = '40'

/** Replaces one server by a server of another build, while people read and write. */
async function replace(stage: Stage, index: number, build: string, name: string): Promise<void> {
  const answers = stage.askAll({ words: WORDS })
  await untilFlowing(answers)
  const next = await stage.newInstance(name, {}, build)
  await next.start()
  const former = stage.at(index)
  stage.instances[index] = next
  stage.balancer.use([...stage.instances, former])
  const { code } = await former.stop()
  if (code !== 0) stage.fail(`${former.name}: остановка с кодом ${code}`)
  stage.balancer.use(stage.instances)
}

const allNamed = (instances: Instance[], start: string) => instances.every(({ name }) => name.startsWith(start))

/** The schema of the next release, made beside the servers of this one. */
async function checkNextSchema({ db, fail }: Stage): Promise<void> {
  const { rows } = await db.query(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)
     union all select true from information_schema.columns where table_name = 'messages' and column_name = $2`,
    [NEXT_INDEX, NEXT_COLUMN],
  )
  if (rows.length !== 2 || !rows.every(({ valid }) => valid)) fail('схема следующего выпуска не готова')
}

export const upgrading: Scenario[] = [
  {
    id: '26',
    name: 'сборка и следующая рядом: обновление под нагрузкой и возврат',
    env: { DRAIN_SECONDS },
    instances: 0,
    endSeconds: 60,
    run: async (stage) => {
      const { build } = stage
      const next = makeNextBuild(build)
      for (const name of ['old-a', 'old-b']) stage.instances.push(await stage.newInstance(name))
      await Promise.all(stage.instances.map((instance) => instance.start()))
      stage.balancer.use(stage.instances)
      const started = performance.now()
      await replace(stage, 0, next, 'new-a')
      await checkNextSchema(stage)
      await replace(stage, 1, next, 'new-b')
      if (!allNamed(stage.instances, 'new')) stage.fail('обновились не все серверы')
      await replace(stage, 0, build, 'old-c')
      await replace(stage, 1, build, 'old-d')
      if (!allNamed(stage.instances, 'old')) stage.fail('вернулись не все серверы')
      return secondsSince(started)
    },
  },
]
