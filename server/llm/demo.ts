import { setTimeout as pause } from 'node:timers/promises'
import type { Llm, LlmMessage } from './llm.ts'
import { readTitleRequest } from './title-request.ts'

const PIECE_MS = 20
const PIECE = /\S+\s*/g
const TITLE_WORDS = 5

/** Answers without any provider, so that everything can be tried; it never pretends to be more than a demo. */
export const demoLlm: Llm = async ({ messages }, signal, onText) => {
  for (const [piece] of demoAnswer(messages).matchAll(PIECE)) {
    await pause(PIECE_MS, undefined, { signal })
    onText(piece)
  }
  return { reason: 'stop', usage: null }
}

export function demoAnswer(messages: LlmMessage[]): string {
  const toName = readTitleRequest(messages)
  if (toName !== null) return demoTitle(toName)
  const question = messages.findLast(({ role }) => role === 'user')?.content.trim() ?? ''
  const quoted = question.length > 200 ? `${question.slice(0, 200)}…` : question
  return [
    'Это **демонстрационная модель**: она отвечает на самом сервере и ничего не знает о мире.',
    `Вы написали: «${quoted}».`,
    'Чтобы отвечала настоящая модель, задайте `OPENAI_API_KEY` или `PROVIDER_<ИМЯ>_API_KEY` и `PROVIDER_<ИМЯ>_BASE_URL` и добавьте модель в разделе «Модели».',
  ].join('\n\n')
}

/** Knows no better name than the words it was asked with. */
function demoTitle(question: string): string {
  const words = question.split(/\s+/).filter(Boolean).slice(0, TITLE_WORDS)
  return words.join(' ').replace(/[\s.,:;!?—–-]+$/, '')
}
