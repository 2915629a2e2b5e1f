import {
  type ImportFormat,
  type PromptTableQuery,
  promptsAdminApi,
  promptTableSorts,
  promptTableStates,
} from '#contract/prompts-admin.ts'

export type PromptTableState = PromptTableQuery['state']
type PromptTableSort = (typeof promptTableSorts)[number]

/** Stored in the URL. */
export interface PromptTableFilter {
  state: PromptTableState
  category: string | null
  query: string
  sort: PromptTableSort
  isDescending: boolean
  page: number
  size: number
}

export const sizes = [50, 100, 200] as const

export function readAdminFilter(params: URLSearchParams): PromptTableFilter {
  const page = Number(params.get('page'))
  return {
    state: promptTableStates.find((state) => state === params.get('state')) ?? 'all',
    category: params.get('category') || null,
    query: params.get('query')?.trim() ?? '',
    ...readSort(params.get('sort') ?? ''),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    size: sizes.find((size) => String(size) === params.get('size')) ?? sizes[0],
  }
}

export function writeAdminFilter(filter: PromptTableFilter): URLSearchParams {
  const params = new URLSearchParams(filterParams(filter))
  const sort = sortOf(filter)
  if (sort !== 'order') params.set('sort', sort)
  if (filter.page > 1) params.set('page', String(filter.page))
  if (filter.size !== sizes[0]) params.set('size', String(filter.size))
  return params
}

function filterParams({ state, category, query }: PromptTableFilter): Record<string, string> {
  return { ...(state !== 'all' && { state }), ...(category && { category }), ...(query && { query }) }
}

/** The manual order has one direction only. */
function sortOf({ sort, isDescending }: PromptTableFilter): string {
  return isDescending && sort !== 'order' ? `-${sort}` : sort
}

export function toAdminQuery(filter: PromptTableFilter) {
  const { state, page, size } = filter
  return { ...filterParams(filter), state, sort: sortOf(filter), page, size }
}

export function sortingOf(filter: PromptTableFilter, onChange: (change: Partial<PromptTableFilter>) => void) {
  return {
    by: sortOf(filter),
    onChange: (by: string) => onChange({ ...readSort(by), page: 1 }),
    next: (id: string) => {
      const { sort } = readSort(id)
      return sortOf({ ...filter, ...nextSort(filter, sort) })
    },
  }
}

function readSort(text: string): Pick<PromptTableFilter, 'sort' | 'isDescending'> {
  return {
    sort: promptTableSorts.find((sort) => sort === text.replace(/^-/, '')) ?? 'order',
    isDescending: text.startsWith('-'),
  }
}

/** The sort after a click on a header: one way, the other way, then the manual order. */
export function nextSort(
  filter: PromptTableFilter,
  sort: PromptTableSort,
): Pick<PromptTableFilter, 'sort' | 'isDescending' | 'page'> {
  const first = sort === 'uses' || sort === 'updatedAt' || sort === 'published'
  if (filter.sort !== sort) return { sort, isDescending: first, page: 1 }
  if (filter.isDescending === first) return { sort, isDescending: !first, page: 1 }
  return { sort: 'order', isDescending: false, page: 1 }
}

/** Rows can be moved only in the manual order, and not in the trash. */
export function isOrderable({ sort, state }: PromptTableFilter): boolean {
  return sort === 'order' && state !== 'trash'
}

export function exportAddress(filter: PromptTableFilter, format: ImportFormat): string {
  return `${promptsAdminApi.export.path}?${new URLSearchParams({ format, ...filterParams(filter) })}`
}
