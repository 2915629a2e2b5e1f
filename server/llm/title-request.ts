import type { LlmMessage } from './llm.ts'

/** How a model is asked to name a thread: written for every model, and read by the demo, which has to know what it is asked. */

export interface Exchange {
  question: string
  answer: string
}

const HEAD = 'Начало беседы, которой нужно название.'
const ASKED = '\n\nВопрос: '
const ANSWERED = '\n\nОтвет: '

export function writeTitleRequest(instructions: string, { question, answer }: Exchange): LlmMessage[] {
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: HEAD + ASKED + question + ANSWERED + answer },
  ]
}

/** The question of the thread that wants a name, or null if something else is asked. */
export function readTitleRequest([system, asked, ...more]: LlmMessage[]): string | null {
  const head = HEAD + ASKED
  if (system?.role !== 'system' || !asked?.content.startsWith(head) || more.length > 0) return null
  return asked.content.slice(head.length).split(ANSWERED)[0] ?? ''
}
