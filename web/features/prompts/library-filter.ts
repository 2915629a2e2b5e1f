import { type PromptFilter, promptSorts, promptViews } from '#contract/prompts.ts'

export type View = PromptFilter['view']
export type Sort = PromptFilter['sort']

/** Stored in the URL. */
export interface LibraryFilter {
  view: View
  sort: Sort
  category: string | null
  query: string
}

const START = { view: 'all', sort: 'order' } as const

export function readFilter(params: URLSearchParams): LibraryFilter {
  return {
    view: promptViews.find((view) => view === params.get('view')) ?? START.view,
    sort: promptSorts.find((sort) => sort === params.get('sort')) ?? START.sort,
    category: params.get('category') || null,
    query: params.get('query')?.trim() ?? '',
  }
}

export function writeFilter(params: URLSearchParams, filter: LibraryFilter): URLSearchParams {
  const next = new URLSearchParams(params)
  const entries = {
    view: filter.view === START.view ? '' : filter.view,
    sort: filter.sort === START.sort ? '' : filter.sort,
    category: filter.category ?? '',
    query: filter.query,
  }
  for (const [name, value] of Object.entries(entries)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

export function toLibraryQuery({ view, sort, category, query }: LibraryFilter) {
  return { view, sort, ...(category && { category }), ...(query && { query }) }
}

/** Cards are grouped only when they are sorted by category. */
export function isGrouped({ sort, category, query }: LibraryFilter): boolean {
  return sort === 'order' && category === null && query === ''
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
