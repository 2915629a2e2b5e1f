import type { PromptFilter } from '#contract/prompts.ts'
import { choiceParam, filled, type StateOf, textParam } from '#web/lib/url-state.ts'

export type View = PromptFilter['view']

export const libraryParams = {
  view: choiceParam(['own', 'favourites', 'published', 'shared']),
  sort: choiceParam(['uses', 'new']),
  category: textParam(),
  query: textParam(),
}
export type LibraryFilter = StateOf<typeof libraryParams>

export function toLibraryQuery(filter: LibraryFilter) {
  return { view: 'all' as const, sort: 'order' as const, ...filled(filter) }
}

/** Cards are grouped only when they are sorted by category. */
export function isGrouped({ sort, category, query }: LibraryFilter): boolean {
  return sort === null && category === '' && query === ''
}

/** Groups neighbours of one category; the order stays. */
export function byCategory<P extends { category: string }>(
  prompts: readonly P[],
): { category: string; prompts: P[] }[] {
  const groups: { category: string; prompts: P[] }[] = []
  for (const prompt of prompts) {
    const last = groups.at(-1)
    if (last?.category === prompt.category) last.prompts.push(prompt)
    else groups.push({ category: prompt.category, prompts: [prompt] })
  }
  return groups
}
