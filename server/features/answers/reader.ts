import type { AnswerEvent } from '#contract/answers.ts'

export type SendEvent = (event: AnswerEvent) => void

/** Somebody who reads an answer, and how many symbols of it he has. */
export interface Reader {
  have: number
  send: SendEvent
}
