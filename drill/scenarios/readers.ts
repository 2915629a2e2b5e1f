import { setTimeout as pause } from 'node:timers/promises'
import { continueAnswer, firstReading, messageIdOf, stopAnswer } from '../lib/answers.ts'
import { callAs } from '../lib/calls.ts'
import type { Scenario } from '../lib/scenario.ts'
import { secondsSince, untilFlowing } from '../lib/stage.ts'
import { writtenBy } from './stopping.ts'

const FROZEN_SECONDS = 24

export const readers: Scenario[] = [
  {
    id: '18',
    name: `сервер завис на ${FROZEN_SECONDS} секунды, его ответы продолжены в другом месте`,
    patience: 60,
    run: async (stage) => {
      await untilFlowing(stage.askAll({ words: 300 }))
      await pause(3000)
      const victim = stage.at(0)
      const other = stage.at(1)
      const frozen = writtenBy(stage, victim)
      for (const answer of frozen) {
        answer.allowed = ['complete', 'interrupted']
        answer.mayTakeBack = true
      }
      victim.freeze()
      const thawAt = performance.now() + FROZEN_SECONDS * 1000
      await pause((FROZEN_SECONDS - 3) * 1000)
      const ids = frozen.map(messageIdOf)
      const ended = await stage.db.query<{ id: string }>(
        `select id from messages where id = any($1) and status = 'interrupted'`,
        [ids],
      )
      const endedIds = new Set(ended.rows.map(({ id }) => id))
      for (const answer of frozen.filter((each) => endedIds.has(messageIdOf(each) ?? ''))) {
        for (const reading of answer.readings) reading.leave()
        continueAnswer(answer, other.url)
      }
      await pause(Math.max(0, thawAt - performance.now()))
      victim.thaw()
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
