export type Mark = '/' | '@'

export interface Trigger {
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
