import { setTimeout as pause } from 'node:timers/promises'
import type { Llm, LlmMessage } from './llm.ts'

const PIECE_MS = 20
const PIECE = /\S+\s*/g

/** Answers without any provider, so that everything can be tried; it never pretends to be more than a demo. */
export const demoLlm: Llm = async function* ({ messages }, signal) {
  for (const [piece] of demoAnswer(messages).matchAll(PIECE)) {
    await pause(PIECE_MS, undefined, { signal })
    yield { type: 'text', text: piece }
  }
  yield { type: 'end', reason: 'stop', usage: null }
}

export function demoAnswer(messages: LlmMessage[]): string {
  const question = messages.findLast(({ role }) => role === 'user')?.content.trim() ?? ''
  const quoted = question.length > 200 ? `${question.slice(0, 200)}…` : question
  return [
    'Это **демонстрационная модель**: она отвечает на самом сервере и ничего не знает о мире.',
    `Вы написали: «${quoted}».`,
    'Чтобы отвечала настоящая модель, задайте `OPENAI_API_KEY` или `PROVIDER_<ИМЯ>_API_KEY` и `PROVIDER_<ИМЯ>_BASE_URL` и добавьте модель в разделе «Модели».',
  ].join('\n\n')
}
