import { setTimeout as pause } from 'node:timers/promises'
import type { Llm, LlmMessage } from './llm.ts'
import { readPassageBlock } from './passage-block.ts'
import { readTitleRequest } from './title-request.ts'

const WORD_MS = 20
const WORD = /\S+\s*/g
const TITLE_WORDS = 5
const MOST_QUESTION = 200
const MOST_QUOTED = 3
const MOST_QUOTE = 300

/** Answers without a provider, so that chats can be tried without a key; says that it is a demo. */
export const demoLlm: Llm = async ({ messages }, signal, onText) => {
  for (const [word] of demoAnswer(messages).matchAll(WORD)) {
    await pause(WORD_MS, undefined, { signal })
    onText(word)
  }
  return { reason: 'stop', usage: null }
}

export function demoAnswer(messages: LlmMessage[]): string {
  const toName = readTitleRequest(messages)
  if (toName !== null) return demoTitle(toName)
  const prompt = messages.findLast(({ role }) => role === 'user')?.content.trim() ?? ''
  const given = readPassageBlock(prompt)
  return [
    'Это **демонстрационная модель**: она отвечает на самом сервере и ничего не знает о мире.',
    `Вы написали: «${shortened(given?.question ?? prompt, MOST_QUESTION)}».`,
    ...(given ? [quote(given.passages)] : []),
    'Чтобы отвечала настоящая модель, задайте `OPENAI_API_KEY` или `PROVIDER_<ИМЯ>_API_KEY` и `PROVIDER_<ИМЯ>_BASE_URL` и добавьте модель в разделе «Модели».',
  ].join('\n\n')
}

/** Shows the passages that a real model would use. */
function quote(passages: readonly { n: number; text: string }[]): string {
  const quoted = passages.slice(0, MOST_QUOTED).map(({ n, text }) => `> ${shortened(plain(text), MOST_QUOTE)} [${n}]`)
  return ['В файлах ассистента нашлось:', ...quoted].join('\n\n')
}

/** Removes the Markdown of headings and lists. */
const plain = (text: string) => text.replace(/^\s*(?:[#>*+-]+|\d+[.)])\s+/gm, '')

function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}

/** Names a thread by the first words of its question. */
function demoTitle(question: string): string {
  const words = question.split(/\s+/).filter(Boolean).slice(0, TITLE_WORDS)
  return words.join(' ').replace(/[\s.,:;!?—–-]+$/, '')
}
