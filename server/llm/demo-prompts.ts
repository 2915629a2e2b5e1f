import type { LlmMessage } from './llm.ts'

/** What the demo model recognizes in the prompts of this product; other models simply read them. */

interface QuotedBlock {
  passages: { n: number; text: string }[]
  /** What follows the block. */
  question: string
}

/** The passages of an assistant's files and the question after them; null without passages. */
export const readPassageBlock = (content: string) => readBlock(content, 'Выдержки из файлов.', 'Конец выдержек.')

/** The same for pages of the web. */
export const readWebBlock = (content: string) =>
  readBlock(content, 'Выдержки со страниц интернета.', 'Конец выдержек со страниц.')

function readBlock(content: string, head: string, tail: string): QuotedBlock | null {
  if (!content.startsWith(head)) return null
  const end = content.lastIndexOf(`\n\n${tail}`)
  const fence = /\n(`{3,})\n/.exec(content)?.[1]
  if (end < 0 || !fence) return null
  // A head and a text in turn: nothing in a text is as long as the fence.
  const parts = content.slice(0, end).split(`\n${fence}`)
  const passages = parts.flatMap((text, i) => {
    const above = i % 2 === 1 ? (parts[i - 1] ?? '') : ''
    const [, n] = /^\[(\d+)\] /.exec(above.slice(above.lastIndexOf('\n') + 1)) ?? []
    return n === undefined ? [] : [{ n: Number(n), text: text.slice(1) }]
  })
  return { passages, question: content.slice(end + tail.length + 2).trim() }
}

const QUERY = 'Последний вопрос, для которого нужен поисковый запрос: '

/** The question of a request for a search query; null for any other request. */
export function readQueryRequest([system, request, ...more]: LlmMessage[]): string | null {
  const at = request?.content.lastIndexOf(QUERY) ?? -1
  if (system?.role !== 'system' || at < 0 || more.length > 0) return null
  return request?.content.slice(at + QUERY.length) ?? null
}

const TITLE = 'Начало беседы, которой нужно название.\n\nВопрос: '

/** The question of a request for a title; null for any other request. */
export function readTitleRequest([system, request, ...more]: LlmMessage[]): string | null {
  if (system?.role !== 'system' || !request?.content.startsWith(TITLE) || more.length > 0) return null
  return request.content.slice(TITLE.length).split('\n\nОтвет: ')[0] ?? ''
}

/** A request for search words, which the demo does not know. */
export const isSearchWordsRequest = ([system]: LlmMessage[]) =>
  Boolean(system?.role === 'system' && system.content.startsWith('Помоги найти ответ в документах.'))

const SUMMARY_TEXT = 'Сообщения чата:'

/** The messages of a chat to sum up; null for any other request. */
export function readSummaryRequest([system, request, ...more]: LlmMessage[]): string | null {
  if (!system?.content.startsWith('Ты сжимаешь начало чата') || !request || more.length > 0) return null
  const text = request.content.slice(request.content.indexOf(SUMMARY_TEXT) + SUMMARY_TEXT.length)
  return text.replace(/^\s*`{3,}\n|\n`{3,}$/g, '')
}

export function readTranscript(transcript: string): string[] {
  return [...transcript.matchAll(/^Человек: (.*)$/gm)].map(([, line = '']) => line)
}

/** The lines of a recording that minutes are taken of; null for any other request. */
export function readNotesRequest([system, request]: LlmMessage[]): { second: number | null; text: string }[] | null {
  if (!system?.content.startsWith('Ты ведёшь протокол встречи') || !request) return null
  return lastFenced(request.content)
    .split('\n')
    .map((line) => {
      const [, second] = /^\[(\d+)\] /.exec(line) ?? []
      return { second: second === undefined ? null : Number(second), text: line.replace(/^\[\d+\] /, '') }
    })
}

/** Whether the summaries of a meeting's parts are to be joined, or a letter is to be written about it. */
export function readMeetingRequest([system]: LlmMessage[]): 'summary' | 'letter' | null {
  if (system?.content.startsWith('Ты сводишь пересказы частей одной встречи')) return 'summary'
  return system?.content.startsWith('Ты пишешь письмо участникам встречи') ? 'letter' : null
}

function lastFenced(content: string): string {
  const fence = /(`{3,})$/.exec(content)?.[1] ?? '```'
  const end = content.length - fence.length - 1
  return content.slice(content.lastIndexOf(`\n${fence}\n`, end - 1) + fence.length + 2, end)
}
