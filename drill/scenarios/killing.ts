import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, messageIdOf } from '../lib/answers.ts'
import { isTooLong } from '../lib/limits.ts'
import { streamToPrograms } from '../lib/programs.ts'
import type { Scenario } from '../lib/scenario.ts'
import { type Stage, secondsSince, until, untilFlowing } from '../lib/stage.ts'
import { continueAll, writtenBy } from './stopping.ts'

const DEATH_SEEN_SECONDS = 8
const OWN_WORK_SECONDS = 2
/** Longer than the interval at which text is stored. */
const STORED_MS = 3000
const GIVE_UP_SECONDS = 60
const PROGRAMS = 5

/** Expects that the answers of a killed instance are interrupted. */
export function allowCut(answers: Answer[]): void {
  for (const answer of answers) {
    answer.allowed = ['interrupted']
    answer.mayTakeBack = true
  }
}

/** The seconds until none of these answers is being written; a failure above the limit. */
export async function untilEndedInDatabase(stage: Stage, answers: Answer[], limitSeconds: number): Promise<number> {
  const ids = answers.map(messageIdOf)
  const began = performance.now()
  const open = async () => {
    const found = await stage.db.query(`select id from messages where id = any($1) and status = 'streaming'`, [ids])
    return found.rows.length
  }
  await until(GIVE_UP_SECONDS, async () => (await open()) === 0)
  const seconds = secondsSince(began)
  const left = await open()
  if (left > 0) stage.fail(`через ${GIVE_UP_SECONDS} с не закончены ${left} из ${ids.length}`)
  else if (isTooLong(seconds, limitSeconds))
    stage.fail(`закончены за ${seconds.toFixed(1)} с, а должны за ${limitSeconds}`)
  return seconds
}

/** More symbols than the first hold would pay for at the rates of the requested model. */
const BEYOND_HOLD = 1500

async function askBeyondHold(stage: Stage): Promise<Answer[]> {
  const answers = stage.askAll({ words: 600, gapMs: 50, modelId: 'dear' })
  await untilFlowing(answers, BEYOND_HOLD)
  await pause(STORED_MS)
  return answers
}

export const killing: Scenario[] = [
  {
    id: '4',
    name: 'kill -9 одного из трёх, прерванное продолжено (20)',
    isShort: true,
    run: async (stage) => {
      const answers = stage.askAll({ words: stage.isShort ? 200 : 300 })
      await untilFlowing(answers)
      await pause(STORED_MS)
      const victim = stage.at(0)
      const cut = writtenBy(stage, victim)
      allowCut(cut)
      await victim.kill()
      const seconds = await untilEndedInDatabase(stage, cut, DEATH_SEEN_SECONDS)
      await continueAll(stage, cut)
      return seconds
    },
  },
  {
    id: '5',
    name: 'kill -9 и сразу запуск на том же месте; и у программ по /v1',
    isShort: true,
    run: async (stage) => {
      await untilFlowing(stage.askAll({ words: 200 }))
      const victim = stage.at(1)
      const programs = await streamToPrograms(stage, victim, stage.people.slice(0, PROGRAMS))
      await pause(STORED_MS)
      const cut = writtenBy(stage, victim)
      allowCut(cut)
      await victim.kill()
      await victim.start()
      const seconds = await untilEndedInDatabase(stage, cut, OWN_WORK_SECONDS)
      await programs.judge()
      return seconds
    },
  },
  {
    id: '6',
    name: 'kill -9, пока говорит запасная модель дешевле; один сервер',
    isShort: true,
    instances: 1,
    run: async (stage) => {
      const answers = await askBeyondHold(stage)
      allowCut(answers)
      await stage.at(0).kill()
      await stage.at(0).start()
      return untilEndedInDatabase(stage, answers, OWN_WORK_SECONDS)
    },
  },
  {
    id: '6b',
    name: 'то же при втором живом сервере, потом запуск обоих',
    instances: 2,
    run: async (stage) => {
      const answers = await askBeyondHold(stage)
      const cut = writtenBy(stage, stage.at(0))
      allowCut(cut)
      await stage.at(0).kill()
      const seconds = await untilEndedInDatabase(stage, cut, DEATH_SEEN_SECONDS)
      const rest = answers.filter((answer) => !cut.includes(answer))
      allowCut(rest)
      for (const answer of rest) answer.allowed = ['interrupted', 'complete']
      await stage.at(1).kill()
      await Promise.all(stage.instances.map((instance) => instance.start()))
      return seconds
    },
  },
]
