import { type DeskQuery, deskSorts, deskStates, type ImportFormat, PROMPTS_EXPORT } from '#contract/prompt-desk.ts'

export type DeskState = DeskQuery['state']
export type DeskSort = (typeof deskSorts)[number]

/** Which rows the table shows and how; kept in the address. */
export interface DeskFilter {
  state: DeskState
  category: string | null
  query: string
  sort: DeskSort
  isDescending: boolean
  page: number
  size: number
}

export const sizes = [50, 100, 200] as const

export function readDesk(params: URLSearchParams): DeskFilter {
  const asked = params.get('sort') ?? ''
  const page = Number(params.get('page'))
  return {
    state: deskStates.find((state) => state === params.get('state')) ?? 'all',
    category: params.get('category') || null,
    query: params.get('query')?.trim() ?? '',
    sort: deskSorts.find((sort) => sort === asked.replace(/^-/, '')) ?? 'order',
    isDescending: asked.startsWith('-'),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    size: sizes.find((size) => String(size) === params.get('size')) ?? sizes[0],
  }
}

export function writeDesk(filter: DeskFilter): URLSearchParams {
  const said = new URLSearchParams(wireFilter(filter))
  const sort = sortOf(filter)
  if (sort !== 'order') said.set('sort', sort)
  if (filter.page > 1) said.set('page', String(filter.page))
  if (filter.size !== sizes[0]) said.set('size', String(filter.size))
  return said
}

function wireFilter({ state, category, query }: DeskFilter): Record<string, string> {
  return { ...(state !== 'all' && { state }), ...(category && { category }), ...(query && { query }) }
}

/** The order by hand has one direction only. */
function sortOf({ sort, isDescending }: DeskFilter): string {
  return isDescending && sort !== 'order' ? `-${sort}` : sort
}

export function wireDesk(filter: DeskFilter) {
  const { state, page, size } = filter
  return { ...wireFilter(filter), state, sort: sortOf(filter), page, size }
}

/** A click on a head: first that way, then the other, then back to the order by hand. */
export function nextSort(filter: DeskFilter, sort: DeskSort): Pick<DeskFilter, 'sort' | 'isDescending' | 'page'> {
  const first = sort === 'uses' || sort === 'updatedAt' || sort === 'published'
  if (filter.sort !== sort) return { sort, isDescending: first, page: 1 }
  if (filter.isDescending === first) return { sort, isDescending: !first, page: 1 }
  return { sort: 'order', isDescending: false, page: 1 }
}

/** Rows can be put in another place where they stand by place, out of the trash. */
export function isOrderable({ sort, state }: DeskFilter): boolean {
  return sort === 'order' && state !== 'trash'
}

export function exportAddress(filter: DeskFilter, format: ImportFormat): string {
  return `${PROMPTS_EXPORT}?${new URLSearchParams({ format, ...wireFilter(filter) })}`
}
