import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, continueAnswer, firstReading, messageIdOf, stopAnswer, watch } from '../lib/answers.ts'
import { callAs } from '../lib/calls.ts'
import type { Scenario } from '../lib/scenario.ts'
import { type Stage, secondsSince, untilEnded, untilFlowing } from '../lib/stage.ts'
import { writtenBy } from './stopping.ts'

const MET_SECONDS = 21
const FROZEN_SECONDS = 24
const POLLS = 12
const POLL_MS = 250
const LOOKED_AT = 4

/** Continues on another instance the answers that were ended while their writing instance was frozen. */
async function continueEnded(stage: Stage, frozen: Answer[]): Promise<Answer[]> {
  const statement = `select id from messages where id = any($1) and status = 'interrupted'`
  const { rows } = await stage.db.query<{ id: string }>(statement, [frozen.map(messageIdOf)])
  const ended = frozen.filter((answer) => rows.some(({ id }) => id === messageIdOf(answer)))
  for (const answer of ended) {
    for (const reading of answer.readings) reading.leave()
    continueAnswer(answer, stage.at(1).url)
  }
  await untilFlowing(ended, 1)
  return ended
}

/** Reads the stored chat repeatedly: it must not contain text of the abandoned run. */
async function findForeignText(stage: Stage, continued: Answer[]): Promise<void> {
  const looks: { answer: Answer; content: string }[] = []
  for (let i = 0; i < POLLS; i++) {
    for (const answer of continued.slice(0, LOOKED_AT)) looks.push({ answer, content: await shownIn(stage, answer) })
    await pause(POLL_MS)
  }
  await untilEnded(continued, 30)
  for (const { answer, content } of looks) {
    const end = firstReading(answer)?.done?.content
    if (end && !end.startsWith(content)) stage.fail('показан текст чужого ответа')
  }
}

async function shownIn(stage: Stage, { person, threadId }: Answer): Promise<string> {
  const { body } = await callAs(person, `${stage.at(2).url}/api/threads/${threadId}`)
  const messages = (body.Messages ?? []) as { role: string; content: string }[]
  return messages.findLast(({ role }) => role === 'assistant')?.content ?? ''
}

export const readers: Scenario[] = [
  {
    id: '18',
    name: `сервер завис на ${FROZEN_SECONDS} секунды, его ответы продолжены в другом месте`,
    endSeconds: 60,
    run: async (stage) => {
      // Long enough to be still streaming when the frozen instance resumes.
      await untilFlowing(stage.askAll({ words: 800 }))
      await pause(3000)
      const victim = stage.at(0)
      const frozen = writtenBy(stage, victim)
      for (const answer of frozen) {
        answer.allowed = ['complete', 'interrupted']
        answer.mayTakeBack = true
      }
      victim.freeze()
      await pause(MET_SECONDS * 1000)
      // A reader on another instance makes that instance end answers whose writer is silent.
      for (const answer of frozen) watch(answer, stage.at(1).url)
      await pause((FROZEN_SECONDS - MET_SECONDS) * 1000)
      const continued = await continueEnded(stage, frozen)
      victim.thaw()
      await findForeignText(stage, continued)
      return null
    },
  },
  {
    id: '19',
    name: 'сообщение с занятым номером',
    run: async (stage) => {
      const [one, other] = stage.people
      if (!one || !other) return null
      const { url } = stage.at(0)
      const answer = stage.ask(one, { words: 10 })
      await answer.ended()
      for (const person of [one, other]) {
        const thread = `taken-${person.email.replaceAll(/\W/g, '-')}`
        await callAs(person, `${url}/api/threads`, { method: 'POST', body: { id: thread } })
        const body = { id: answer.questionId, content: 'Здравствуйте', modelId: 'words' }
        const { status } = await callAs(person, `${url}/api/threads/${thread}/message`, { method: 'POST', body })
        if (status !== 409) stage.fail(`занятый номер: ${status}`)
      }
      return null
    },
  },
  {
    id: '24',
    name: 'остановка ответа с другого сервера',
    run: async (stage) => {
      const answers = stage.askAll({ words: 300, allowed: ['stopped'] })
      await untilFlowing(answers, 300)
      const began = performance.now()
      const stopped = answers.map(async (answer) => {
        const other = stage.instances.find(({ name }) => name !== firstReading(answer)?.instance)
        const status = await stopAnswer(answer, (other ?? stage.at(0)).url)
        if (status !== 200) stage.fail(`остановка: ${status}`)
      })
      await Promise.all(stopped)
      return secondsSince(began)
    },
  },
]
