import { navigate } from 'wouter/use-browser-location'
import { paths } from '#web/lib/paths.ts'
import type { Suggestion } from './suggest-search.ts'

/** A list that opens when a message begins with its mark. */
export interface SuggestSource {
  mark: Mark
  /** The accessible name of the list. */
  label: string
  find: (query: string, signal: AbortSignal) => Promise<Suggestion[]>
  /** Returns the text that replaces the query. */
  pick: (suggestion: Suggestion) => string | Promise<string>
}

const load = () => import('./suggest-search.ts')

/** «/» finds prompts. The search code is loaded with the first search. */
export const promptSource: SuggestSource = {
  mark: '/',
  label: 'Промпты',
  find: async (query, signal) => (await load()).findPrompts(query, signal),
  pick: async ({ id }) => (await load()).getPromptText(id),
}

/** «@» finds assistants and starts a chat with the chosen one. The search code is loaded with the first search. */
export const assistantSource: SuggestSource = {
  mark: '@',
  label: 'Ассистенты',
  find: async (query, signal) => (await import('./suggest-search.ts')).findAssistants(query, signal),
  pick: ({ id }) => {
    navigate(paths.assistantChat(id))
    return ''
  },
}

export type Mark = '/' | '@'

interface Trigger {
  mark: Mark
  query: string
}

const MOST = 60

/** A mark counts only at the very beginning, until a line break or until the text is clearly a sentence. */
export function findTrigger(text: string, caret: number, marks: readonly Mark[]): Trigger | null {
  const mark = marks.find((known) => text.startsWith(known))
  const query = text.slice(1, caret)
  if (!mark || caret < 1 || query.includes('\n') || query.length > MOST || query.startsWith(' ')) return null
  return { mark, query: query.trim() }
}

export function withoutTrigger(text: string, caret: number): string {
  return text.slice(caret).trimStart()
}
