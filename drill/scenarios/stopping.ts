import { type Answer, continueAnswer, firstReading } from '../lib/answers.ts'
import type { Instance } from '../lib/instances.ts'
import { isTooLong } from '../lib/limits.ts'
import type { Scenario } from '../lib/scenario.ts'
import { type Stage, untilEnded, untilFlowing } from '../lib/stage.ts'

/** The time that a stop may take in addition to DRAIN_SECONDS. */
const STOP_MARGIN_SECONDS = 3

export const writtenBy = ({ answers }: Pick<Stage, 'answers'>, { name }: Instance): Answer[] =>
  answers.filter((answer) => firstReading(answer)?.instance === name)

/** Continues interrupted answers, which must then become complete. */
export async function continueAll(stage: Stage, answers: Answer[]): Promise<void> {
  await untilEnded(answers, 30)
  for (const answer of answers.filter((each) => firstReading(each)?.done?.status === 'interrupted')) {
    continueAnswer(answer, stage.balancer.url)
    answer.allowed = ['complete']
    answer.mayTakeBack = false
  }
  await untilEnded(answers, 60)
}

async function rollingStop(stage: Stage, instances: Instance[], limitSeconds: number): Promise<number> {
  let slowest = 0
  for (const instance of instances) {
    const { seconds, code } = await instance.stop()
    if (code !== 0) stage.fail(`${instance.name}: остановка с кодом ${code}`)
    if (isTooLong(seconds, limitSeconds)) stage.fail(`${instance.name}: остановка за ${seconds.toFixed(1)} с`)
    slowest = Math.max(slowest, seconds)
    await instance.start()
  }
  return slowest
}

export const stopping: Scenario[] = [
  {
    id: '3',
    name: 'остановка трёх по очереди, ответы дописываются',
    isShort: true,
    env: { DRAIN_SECONDS: '40' },
    run: async (stage) => {
      await untilFlowing(stage.askAll({ words: stage.isShort ? 240 : 400 }))
      return rollingStop(stage, stage.instances, 40 + STOP_MARGIN_SECONDS)
    },
  },
  {
    id: '3b',
    name: 'остановка за 3 секунды, прерванное продолжено (20)',
    isShort: true,
    env: { DRAIN_SECONDS: '3' },
    run: async (stage) => {
      const answers = stage.askAll({ words: stage.isShort ? 200 : 300, allowed: ['complete', 'interrupted'] })
      await untilFlowing(answers)
      const stopped = stage.isShort ? stage.instances.slice(0, 1) : stage.instances
      const seconds = await rollingStop(stage, stopped, 3 + STOP_MARGIN_SECONDS)
      await continueAll(stage, answers)
      return seconds
    },
  },
]
