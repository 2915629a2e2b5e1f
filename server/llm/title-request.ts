import type { LlmMessage } from './llm.ts'

/** The request for a thread title: written for every model, and recognised by the demo model. */

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

/** The question of the thread to name, or null for any other request. */
export function readTitleRequest([system, asked, ...more]: LlmMessage[]): string | null {
  const head = HEAD + ASKED
  if (system?.role !== 'system' || !asked?.content.startsWith(head) || more.length > 0) return null
  return asked.content.slice(head.length).split(ANSWERED)[0] ?? ''
}
