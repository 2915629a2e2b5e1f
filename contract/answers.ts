import * as z from 'zod/mini'
import { SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { ErrorBody } from './errors.ts'
import { Thinking } from './models.ts'
import { Citation, Message, NamedPages, SendMessage } from './threads.ts'
import { WebSearch, WebStage, WebUse } from './web-search.ts'

export const AnswerEvent = z.discriminatedUnion('type', [
  /** Both messages as stored. A client with more text drops it: the stored text is the truth. */
  z.object({ type: z.literal('start'), user: Message, assistant: Message }),
  /**
   * `offset` is the length of the text after this delta, and the id to resume from. `last`: the model has finished, and
   * the answer is being stored.
   */
  z.object({ type: z.literal('delta'), offset: z.int(), text: z.string(), last: z.optional(z.boolean()) }),
  /** The same for the thought; `Last-Thought-ID` says how much of it a reader has. */
  z.object({ type: z.literal('thought'), offset: z.int(), text: z.string() }),
  z.object({ type: z.literal('stage'), stage: WebStage }),
  /** The last stage has ended and the model is called. With the citations, which the numbers in the text open. */
  z.object({ type: z.literal('stage-end'), citations: z.array(Citation), web: WebUse }),
  z.object({ type: z.literal('done'), message: Message, charged: z.int(), SingleSubscription }),
  z.extend(ErrorBody, { type: z.literal('error') }),
])
export type AnswerEvent = z.infer<typeof AnswerEvent>

export type StageEvent = Extract<AnswerEvent, { type: 'stage' | 'stage-end' }>

/** The answer for a caller that does not accept a stream. */
export const FinishedMessage = z.extend(Message, { SingleSubscription })
export type FinishedMessage = z.infer<typeof FinishedMessage>

const answerAgainFields = {
  modelId: z.optional(z.string()),
  thinking: z.optional(Thinking),
  /** Personal data is not masked this time. */
  asIs: z.optional(z.boolean()),
}
export const AnswerAgain = z.strictObject(answerAgainFields)
export type AnswerAgain = z.infer<typeof AnswerAgain>

/** Unlike a continued answer, which keeps its pages, a regenerated one searches and reads again. */
export const Regenerate = z.strictObject({
  ...answerAgainFields,
  web: z.optional(WebSearch),
  pages: z.optional(NamedPages),
})
export type Regenerate = z.infer<typeof Regenerate>

export const answersApi = {
  send: endpoint({
    method: 'POST',
    path: '/api/threads/:id/message',
    who: 'user',
    summary: 'Написать сообщение и получить ответ: поток событий start, delta, done, error',
    body: SendMessage,
    answers: 'stream',
    returns: FinishedMessage,
  }),
  regenerate: endpoint({
    method: 'POST',
    path: '/api/threads/:id/message/:messageId/regenerate',
    who: 'user',
    summary: 'Ещё один ответ на тот же вопрос, прежний остаётся; messageId вопроса или ответа',
    body: Regenerate,
    answers: 'stream',
    returns: FinishedMessage,
  }),
  continue: endpoint({
    method: 'POST',
    path: '/api/threads/:id/message/:messageId/continue',
    who: 'user',
    summary: 'Продолжить ответ с того места, где он кончился',
    body: AnswerAgain,
    answers: 'stream',
    returns: FinishedMessage,
  }),
  stream: endpoint({
    method: 'GET',
    path: '/api/threads/:id/message/:messageId/stream',
    who: 'user',
    summary: 'Присоединиться к ответу; Last-Event-ID называет, сколько символов уже есть',
    answers: 'stream',
    returns: FinishedMessage,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/threads/:id/message/:messageId/stop',
    who: 'user',
    consent: 'unneeded',
    summary: 'Остановить ответ; messageId вопроса или ответа',
    returns: Message,
  }),
}
