import { addressOf } from '#contract/endpoint.ts'
import { type ImportFormat, promptsAdminApi, promptTableSorts, promptTableStates } from '#contract/prompts-admin.ts'
import { filled, optionParam, type StateOf, tableParams, textParam } from '#web/lib/url-state.ts'

export const promptTableParams = {
  ...tableParams(promptTableSorts, 'order'),
  state: optionParam(promptTableStates),
  category: textParam(),
}
export type PromptTableFilter = StateOf<typeof promptTableParams>

/** Numbers, dates and states begin with the larger ones. */
const descendingFirst = ['uses', 'updatedAt', 'published']

/** The sort after a click on a header: one way, the other way, then the manual order. */
export function nextSort(sort: string, id: string): string {
  const ways = descendingFirst.includes(id) ? [`-${id}`, id] : [id, `-${id}`]
  return ways[ways.indexOf(sort) + 1] ?? 'order'
}

/** Rows can be moved only in the manual order, and not in the trash. */
export function isOrderable({ sort, state }: PromptTableFilter): boolean {
  return sort === 'order' && state !== 'trash'
}

export function exportAddress({ state, category, query }: PromptTableFilter, format: ImportFormat): string {
  return addressOf(promptsAdminApi.export, { query: { format, ...filled({ state, category, query }) } })
}
