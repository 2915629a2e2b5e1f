import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { MessageStatus } from '#contract/threads.ts'
import type { Person } from './people.ts'
import { noteStatus, openReading, type Reading } from './reading.ts'
import { type AnswerSpec, writeSpec } from './text.ts'

export interface Answer {
  person: Person
  spec: AnswerSpec
  modelId: string
  threadId: string
  questionId: string
  readings: Reading[]
  allowed: MessageStatus[]
  /** Shown text that was not yet stored may disappear: the writing instance was killed. */
  mayTakeBack: boolean
  /** Errors before the first reading. */
  errors: string[]
  /** Resolves when every reader has ended. */
  ended: () => Promise<void>
}

export interface AskOptions {
  /** The balancer, or one instance. */
  at: string
  words?: number
  gapMs?: number
  mode?: string
  modelId?: string
  restlessMs?: number | undefined
  allowed?: MessageStatus[]
  mayTakeBack?: boolean
}

const ID_BYTES = 12
const newId = () => randomBytes(ID_BYTES).toString('hex')

/** Sends a question in a thread of its own and reads the answer. */
export function ask(person: Person, options: AskOptions): Answer {
  const { at, words = 150, gapMs = 100, mode = 'speak', modelId = 'words', restlessMs } = options
  const spec = { nonce: randomBytes(3).toString('hex'), words, gapMs, mode }
  const answer: Answer = {
    person,
    spec,
    modelId,
    threadId: newId(),
    questionId: newId(),
    readings: [],
    allowed: options.allowed ?? ['complete'],
    mayTakeBack: options.mayTakeBack ?? false,
    errors: [],
    ended: async () => {
      await opening
      await Promise.all(answer.readings.map(({ ended }) => ended))
    },
  }
  const { threadId } = answer
  const opening = createThread(at, answer).then(() => {
    const body = { id: answer.questionId, content: writeSpec(spec), modelId }
    answer.readings.push(openReading({ person, threadId, at, restlessMs }, { kind: 'send', body }))
  })
  return answer
}

/** Creates the thread first, as the page does, and retries while the connection fails. */
async function createThread(at: string, { person, threadId, errors }: Answer): Promise<void> {
  const headers = { ...person.headers, 'content-type': 'application/json' }
  for (let tries = 0; tries < 60; tries++) {
    const init = { method: 'POST', headers, body: JSON.stringify({ id: threadId }) }
    const response = await fetch(`${at}/api/threads`, init).catch(() => null)
    await response?.body?.cancel().catch(() => undefined)
    if (response?.ok) return
    if (response) noteStatus(errors, 'новый чат', response)
    await pause(1000)
  }
  errors.push('чат не создан')
}

export const firstReading = ({ readings }: Answer): Reading | undefined => readings[0]
export const messageIdOf = (answer: Answer) => answer.readings.find(({ messageId }) => messageId)?.messageId ?? null

/** Adds a reader of the answer from its beginning, at the given address. */
export function watch(answer: Answer, at: string): Reading {
  const messageId = messageIdOf(answer)
  if (!messageId) throw new Error('Ответ ещё не начат')
  const reading = openReading(
    { person: answer.person, threadId: answer.threadId, at },
    { kind: 'attach', messageId, offset: 0, thoughtOffset: 0 },
  )
  answer.readings.push(reading)
  return reading
}

/** Continues an answer that ended too early. Its previous readers have ended, so they are replaced. */
export function continueAnswer(answer: Answer, at: string): void {
  const messageId = messageIdOf(answer)
  if (!messageId) throw new Error('Ответа нет')
  const { person, threadId, modelId } = answer
  answer.readings = [openReading({ person, threadId, at }, { kind: 'continue', messageId, modelId })]
}

export async function stopAnswer(answer: Answer, at: string): Promise<number> {
  const path = `/api/threads/${answer.threadId}/message/${messageIdOf(answer)}/stop`
  const headers = { ...answer.person.headers, 'content-type': 'application/json' }
  const response = await fetch(at + path, { method: 'POST', headers, body: '{}' }).catch(() => null)
  await response?.body?.cancel().catch(() => undefined)
  return response?.status ?? 0
}
