import type { Mark } from './suggest-trigger.ts'

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
