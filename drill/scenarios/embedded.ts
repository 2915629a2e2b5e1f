import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { type Answer, ask, firstReading } from '../lib/answers.ts'
import { callAs } from '../lib/calls.ts'
import type { Instance } from '../lib/instances.ts'
import { type Findings, judgeAnswers, stuckWork } from '../lib/judge.ts'
import { isTooLong } from '../lib/limits.ts'
import { addModels, OWNER, type Person, signIn } from '../lib/people.ts'
import type { Scenario } from '../lib/scenario.ts'
import { reconcileProblems, type Stage, secondsSince, until, untilEnded, untilFlowing } from '../lib/stage.ts'

const KILLS = 3
const WRITERS = 3
const SPEAKERS = 4
const OWN_WORK_SECONDS = 2
const embeddedEnv = { DATABASE_URL: '', REDIS_URL: '', S3_ENDPOINT: '', S3_REGION: '', S3_BUCKET: '' }
const noS3Keys = { S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' }

/** Creates chats until the server has exited; the acknowledged ones must not be lost. */
async function keepWriting(person: Person, { url, isRunning }: Instance, acknowledged: string[]) {
  while (isRunning()) {
    const { status, body } = await callAs(person, `${url}/api/threads`, { method: 'POST', body: {}, limitSeconds: 5 })
    if (status >= 200 && status < 300) acknowledged.push(String(body.id))
  }
}

async function isOver(answer: Answer, { url }: Instance): Promise<boolean> {
  const { body } = await callAs(answer.person, `${url}/api/threads/${answer.threadId}`)
  const messages = (body.Messages ?? []) as { role: string; status: string }[]
  return messages.some(({ role, status }) => role === 'assistant' && status !== 'streaming')
}

async function killOnce(stage: Stage, instance: Instance, people: Person[], acknowledged: string[]) {
  const answers = people
    .slice(WRITERS)
    .map((person) => ask(person, { at: instance.url, words: 400, allowed: ['interrupted'], mayTakeBack: true }))
  await untilFlowing(answers)
  const writing = people.slice(0, WRITERS).map((person) => keepWriting(person, instance, acknowledged))
  await pause(3000)
  await instance.kill()
  await Promise.all(writing)
  await instance.start()
  const began = performance.now()
  const areOver = async () => (await Promise.all(answers.map((answer) => isOver(answer, instance)))).every(Boolean)
  await until(30, areOver)
  const seconds = secondsSince(began)
  if (isTooLong(seconds, OWN_WORK_SECONDS)) stage.fail(`свои ответы закончены за ${seconds.toFixed(1)} с после запуска`)
  await untilEnded(answers, 30)
  return { answers, seconds }
}

async function judgeFolder(stage: Stage, folder: string, answers: Answer[]): Promise<Findings> {
  const data = await PGlite.create(join(folder, 'database'))
  const findings = await judgeAnswers(data, stage.provider, answers)
  const stuck = await stuckWork(data)
  await data.close()
  const problems = await reconcileProblems({
    ...stage,
    env: { ...stage.env, ...embeddedEnv, ...noS3Keys, DATA_DIR: folder },
  })
  return {
    ...findings,
    stuck: stuck.length,
    charges: findings.charges + problems.length,
    details: [...findings.details, ...stuck, ...problems],
  }
}

export const embedded: Scenario[] = [
  {
    id: '21',
    name: 'встроенная база: kill -9 три раза, пока пишут',
    instances: 0,
    run: async (stage) => {
      const instance = await stage.newInstance('embedded', { ...embeddedEnv, ...noS3Keys })
      await instance.start()
      const { url } = instance
      await addModels(url, await signIn(url, stage.balancer.url, OWNER, '10.8.8.8'))
      const people: Person[] = []
      for (let i = 0; i < WRITERS + SPEAKERS; i++)
        people.push(await signIn(url, stage.balancer.url, `embedded-${i}@example.test`, `10.8.0.${i}`))
      const acknowledged: string[] = []
      const all: Answer[] = []
      let slowest = 0
      for (let i = 0; i < KILLS; i++) {
        const { answers, seconds } = await killOnce(stage, instance, people, acknowledged)
        all.push(...answers)
        slowest = Math.max(slowest, seconds)
      }
      for (const answer of all) for (const reading of answer.readings) reading.leave()
      await instance.stop()
      const { dataDir } = instance
      const found = await judgeFolder(stage, dataDir, all)
      for (const column of ['lost', 'duplicated', 'charges', 'failed', 'stuck', 'errors'] as const)
        stage.findings[column] += found[column]
      stage.findings.details.push(...found.details)
      const data = await PGlite.create(join(dataDir, 'database'))
      const stored = await data.query<{ count: number }>(
        'select count(*)::int as count from threads where id = any($1)',
        [acknowledged],
      )
      await data.close()
      const missing = acknowledged.length - (stored.rows[0]?.count ?? 0)
      if (missing > 0) stage.fail(`пропали подтверждённые чаты: ${missing} из ${acknowledged.length}`)
      if (all.some((answer) => !firstReading(answer)?.messageId)) stage.fail('не все ответы начались')
      return slowest
    },
  },
]
