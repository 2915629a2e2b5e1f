import type { Instance } from '../lib/instances.ts'
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

export const upgrading: Scenario[] = [
  {
    id: '26',
    name: 'прежняя сборка и новая рядом: обновление под нагрузкой и возврат',
    env: { DRAIN_SECONDS },
    instances: 0,
    endSeconds: 60,
    run: async (stage) => {
      const { previous, build } = stage
      if (!previous) return { skipped: 'нет прежнего выпуска; сборку называет --previous=<версия>' }
      for (const name of ['old-a', 'old-b']) stage.instances.push(await stage.newInstance(name, {}, previous))
      await Promise.all(stage.instances.map((instance) => instance.start()))
      stage.balancer.use(stage.instances)
      const started = performance.now()
      await replace(stage, 0, build, 'new-a')
      await replace(stage, 1, build, 'new-b')
      if (!allNamed(stage.instances, 'new')) stage.fail('обновились не все серверы')
      await replace(stage, 0, previous, 'old-c')
      await replace(stage, 1, previous, 'old-d')
      if (!allNamed(stage.instances, 'old')) stage.fail('вернулись не все серверы')
      return secondsSince(started)
    },
  },
]
