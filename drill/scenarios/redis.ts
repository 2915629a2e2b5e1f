import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expectAlert, expectAlertOver } from '../lib/alerts.ts'
import { type Answer, firstReading, stopAnswer, watch } from '../lib/answers.ts'
import { isTooLong } from '../lib/limits.ts'
import { signIn } from '../lib/people.ts'
import type { Reading } from '../lib/reading.ts'
import type { Scenario } from '../lib/scenario.ts'
import { sendToRedis } from '../lib/small-services.ts'
import { type Stage, secondsSince, until, untilFlowing } from '../lib/stage.ts'

/** Two seconds until the row is read from the database, plus the transfer to the reader. */
const GO_ON_SECONDS = 2.5
const READY_SECONDS = 2
const SIGN_IN_SECONDS = 5
const STOP_SECONDS = 5
const WATCHED = 6

function urlOfAnother(stage: Stage, answer: Answer): string {
  const other = stage.instances.find(({ name }) => name !== firstReading(answer)?.instance)
  return (other ?? stage.at(0)).url
}

/** The longest time without new text for a reader, after `from`. */
function longestSilence({ growth, endedAt }: Reading, from: number): number {
  const times = [from, ...growth.map(({ at }) => at).filter((at) => at > from), endedAt ?? performance.now()]
  return Math.max(...times.slice(1).map((at, i) => at - (times[i] ?? at))) / 1000
}

async function trySignIn(stage: Stage, email: string) {
  const began = performance.now()
  const { url } = stage.at(1)
  const inside = signIn(url, stage.balancer.url, email, '10.7.7.7').then(
    () => null,
    (error: Error) => error.message,
  )
  const failure = await Promise.race([inside, pause(20_000, 'вход висит', { ref: false })])
  if (failure) stage.fail(failure)
  else if (isTooLong(secondsSince(began), SIGN_IN_SECONDS)) stage.fail(`вход за ${secondsSince(began).toFixed(1)} с`)
}

async function tryStop(stage: Stage, answer: Answer) {
  const began = performance.now()
  answer.allowed = ['stopped']
  const status = await stopAnswer(answer, urlOfAnother(stage, answer))
  if (status !== 200) stage.fail(`остановка с другого сервера: ${status}`)
  if (isTooLong(secondsSince(began), STOP_SECONDS)) stage.fail(`остановка за ${secondsSince(began).toFixed(1)} с`)
}

async function expectReady(stage: Stage) {
  for (const instance of stage.instances) {
    const { status, seconds } = await instance.ready()
    if (status !== 200 || isTooLong(seconds, READY_SECONDS))
      stage.fail(`${instance.name}: готовность без Redis ${status} за ${seconds.toFixed(1)} с`)
  }
}

/** Expects that everything else works while Redis is unavailable. */
async function runWithoutRedis(stage: Stage, seconds: number, takeAway: () => Promise<void> | void): Promise<number> {
  const answers = stage.askAll({ words: Math.round((seconds + 6) * 20) })
  await untilFlowing(answers)
  const watched = answers.slice(0, WATCHED).map((answer) => watch(answer, urlOfAnother(stage, answer)))
  await until(10, () => watched.every(({ shown }) => shown.length > 100))
  const began = performance.now()
  await takeAway()
  await expectAlert(stage, 'RedisDown')
  await expectReady(stage)
  await trySignIn(stage, 'without-redis@example.test')
  const last = answers.at(-1)
  if (last) await tryStop(stage, last)
  await pause(Math.max(0, seconds * 1000 - (performance.now() - began)))
  await expectReady(stage)
  const slowest = Math.max(...watched.map((reading) => longestSilence(reading, began)))
  if (isTooLong(slowest, GO_ON_SECONDS)) stage.fail(`читатель на другом сервере ждал ${slowest.toFixed(1)} с`)
  await stage.redis.restore()
  await expectAlertOver(stage, 'RedisDown')
  return slowest
}

const garbage = ['не JSON', '{', '{}', '[]', 'null', '{"type":"answer-stop"}', '{"type":"delta","messageId":1}']

export const redis: Scenario[] = [
  {
    id: '12',
    name: 'Redis убит на 30 секунд (в краткой форме 10)',
    isShort: true,
    endSeconds: 30,
    run: (stage) => runWithoutRedis(stage, stage.isShort ? 10 : 30, () => stage.redis.kill()),
  },
  {
    id: '13',
    name: 'Redis завис на 30 секунд',
    endSeconds: 30,
    run: (stage) => runWithoutRedis(stage, 30, () => stage.redis.freeze()),
  },
  {
    id: '15',
    name: 'мусор в каналах Redis',
    run: async (stage) => {
      await untilFlowing(stage.askAll({ words: 100 }))
      const port = String(stage.redis.port)
      const channels = execFileSync('redis-cli', ['-p', port, 'pubsub', 'channels'], { encoding: 'utf8' })
      for (const channel of ['symbol:news', ...channels.split('\n').filter(Boolean)])
        for (const text of garbage) sendToRedis(stage.redis, 'publish', channel, text)
      await pause(1000)
      for (const { name, isRunning } of stage.instances) if (!isRunning()) stage.fail(`${name}: процесс умер`)
      return null
    },
  },
]
