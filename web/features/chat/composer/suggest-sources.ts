import { navigate } from 'wouter/use-browser-location'
import { paths } from '#web/lib/paths.ts'

export interface Suggestion {
  id: string
  title: string
  hint: string
}

/** Something that a mark at the beginning of a message finds. */
export interface SuggestSource {
  mark: Mark
  /** What is found, as the name of the list. */
  label: string
  /** What to say when nothing is. */
  nothing: string
  find: (query: string, signal: AbortSignal) => Promise<Suggestion[]>
  /** The text to put in place of the search. */
  pick: (suggestion: Suggestion) => string | Promise<string>
}

const load = () => import('./suggest-search.ts')

/** «/» finds prompts. What it takes to search them comes with the first search. */
export const promptSource: SuggestSource = {
  mark: '/',
  label: 'Промпты',
  nothing: 'Таких промптов нет. Сохранить свой можно в разделе «Промпты».',
  find: async (query, signal) => (await load()).findPrompts(query, signal),
  pick: async ({ id }) => (await load()).takePrompt(id),
}

/** «@» finds assistants; the chosen one begins a new chat. What it takes to search them comes with the first search. */
export const assistantSource: SuggestSource = {
  mark: '@',
  label: 'Ассистенты',
  nothing: 'Таких ассистентов нет. Создать своего можно в разделе «Ассистенты».',
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

/** A mark at the very beginning asks for suggestions, until a line ends or it is clearly a sentence. */
export function findTrigger(text: string, caret: number, marks: readonly Mark[]): Trigger | null {
  const mark = marks.find((known) => text.startsWith(known))
  const query = text.slice(1, caret)
  if (!mark || caret < 1 || query.includes('\n') || query.length > MOST || query.startsWith(' ')) return null
  return { mark, query: query.trim() }
}

/** The text without what was typed to find the suggestion. */
export function withoutTrigger(text: string, caret: number): string {
  return text.slice(caret).trimStart()
}
