import { spawnSync } from 'node:child_process'
import { ask } from '../lib/answers.ts'
import type { Scenario } from '../lib/scenario.ts'
import { type Stage, secondsSince, untilEnded } from '../lib/stage.ts'

const ROUNDS = 5
const SHORT_ROUNDS = 2
const RESTARTS = 6
const SENDERS = 12
const SKEW = '+10s'

async function startTogether(stage: Stage, round: number): Promise<number> {
  const database = `drill_empty_${round}`
  await stage.postgres.create(database)
  const own = { DATABASE_URL: stage.postgres.urlOf(database) }
  const instances = await Promise.all(['x', 'y', 'z'].map((name) => stage.newInstance(name, own)))
  const started = await Promise.allSettled(instances.map((instance) => instance.start()))
  for (const result of started) if (result.status === 'rejected') stage.fail(`раунд ${round + 1}: ${result.reason}`)
  await Promise.all(instances.map((instance) => instance.kill()))
  return Math.max(...started.map((result) => (result.status === 'fulfilled' ? result.value : 0)))
}

/** A user who sends one short question after another until stopped. */
async function keepSending(stage: Stage, i: number, isOver: () => boolean): Promise<void> {
  const person = stage.people[i]
  while (person && !isOver()) {
    const answer = ask(person, { at: stage.balancer.url, words: 20, gapMs: 50 })
    stage.answers.push(answer)
    await answer.ended()
  }
}

/** Environment variables that make the clock of a process fast. Run by `faketime` itself, a child would outlive it. */
function skewedClock(): Record<string, string> | null {
  const { status, stdout } = spawnSync('faketime', ['-f', SKEW, 'env'], { encoding: 'utf8' })
  const library = status === 0 ? /^LD_PRELOAD=(.+)$/m.exec(stdout)?.[1] : undefined
  return library ? { LD_PRELOAD: library, FAKETIME: SKEW } : null
}

export const starting: Scenario[] = [
  {
    id: '1',
    name: 'три сервера сразу на пустой базе',
    isShort: true,
    instances: 0,
    run: async (stage) => {
      let slowest = 0
      for (let round = 0; round < (stage.isShort ? SHORT_ROUNDS : ROUNDS); round++)
        slowest = Math.max(slowest, await startTogether(stage, round))
      return slowest
    },
  },
  {
    id: '2',
    name: 'шесть перезапусков, пока люди пишут',
    run: async (stage) => {
      let isOver = false
      const sending = Array.from({ length: Math.min(SENDERS, stage.streams) }, (_, i) =>
        keepSending(stage, i, () => isOver),
      )
      let slowest = 0
      for (let i = 0; i < RESTARTS; i++) {
        const instance = stage.at(i % 3)
        const { seconds, code } = await instance.stop()
        if (code !== 0) stage.fail(`${instance.name}: остановка с кодом ${code}`)
        slowest = Math.max(slowest, seconds + (await instance.start()))
      }
      isOver = true
      await Promise.race([Promise.all(sending), untilEnded(stage.answers, 20)])
      return slowest
    },
  },
  {
    id: '14',
    name: 'запуск без Redis',
    instances: 1,
    run: async (stage) => {
      await stage.redis.kill()
      const late = await stage.newInstance('late')
      stage.instances.push(late)
      const seconds = await late.start()
      const { status } = await late.ready()
      if (status !== 200) stage.fail(`готовность без Redis: ${status}`)
      const [person] = stage.people
      if (person) await stage.ask(person, { at: late.url, words: 20 }).ended()
      return seconds
    },
  },
  {
    id: '22',
    name: 'часы спешат на 10 секунд: сервер не запускается',
    run: async (stage) => {
      const clock = skewedClock()
      if (!clock) return { skipped: 'нет команды faketime' }
      const skewed = await stage.newInstance('skewed', clock)
      const began = performance.now()
      const started = await skewed.start().then(
        () => true,
        () => false,
      )
      if (started) stage.fail('сервер с неверными часами запустился')
      await skewed.kill()
      return secondsSince(began)
    },
  },
]
