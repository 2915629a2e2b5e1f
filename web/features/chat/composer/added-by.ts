import type { ThreadWithMessages } from '#contract/threads.ts'
import type { AssistantSymbols } from './estimate.ts'

/** What the assistant and the project of a chat add to each question; search words are written once for both. */
export function addedBy({
  Assistant,
  Project,
}: Pick<ThreadWithMessages, 'Assistant' | 'Project'>): AssistantSymbols | null {
  const [one, other] = [Assistant?.symbols, Project?.symbols]
  if (!Project || !other) return one ?? null
  return {
    instructions: (one?.instructions ?? 0) + other.instructions,
    passages: (one?.passages ?? 0) + other.passages,
    searchWords: Math.max(one?.searchWords ?? 0, other.searchWords),
    project: other,
    replacesPersonal: Project.replacesPersonal,
  }
}
