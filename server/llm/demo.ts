import { setTimeout as pause } from 'node:timers/promises'
import type { Llm, LlmMessage } from './llm.ts'
import { readPassageBlock } from './passage-block.ts'
import { readTitleRequest } from './title-request.ts'

const PIECE_MS = 20
const PIECE = /\S+\s*/g
const TITLE_WORDS = 5
const MOST_QUESTION = 200
const MOST_QUOTED = 3
const MOST_QUOTE = 300

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
  const told = messages.findLast(({ role }) => role === 'user')?.content.trim() ?? ''
  const given = readPassageBlock(told)
  return [
    'Это **демонстрационная модель**: она отвечает на самом сервере и ничего не знает о мире.',
    `Вы написали: «${shortened(given?.question ?? told, MOST_QUESTION)}».`,
    ...(given ? [quote(given.passages)] : []),
    'Чтобы отвечала настоящая модель, задайте `OPENAI_API_KEY` или `PROVIDER_<ИМЯ>_API_KEY` и `PROVIDER_<ИМЯ>_BASE_URL` и добавьте модель в разделе «Модели».',
  ].join('\n\n')
}

/** It understands nothing, but it can show where a real model would look. */
function quote(passages: readonly { n: number; text: string }[]): string {
  const quoted = passages.slice(0, MOST_QUOTED).map(({ n, text }) => `> ${shortened(plain(text), MOST_QUOTE)} [${n}]`)
  return ['В файлах ассистента нашлось:', ...quoted].join('\n\n')
}

/** Headings and lists of a file would be headings and lists here. */
const plain = (text: string) => text.replace(/^\s*(?:[#>*+-]+|\d+[.)])\s+/gm, '')

function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}

/** Knows no better name than the words it was asked with. */
function demoTitle(question: string): string {
  const words = question.split(/\s+/).filter(Boolean).slice(0, TITLE_WORDS)
  return words.join(' ').replace(/[\s.,:;!?—–-]+$/, '')
}
