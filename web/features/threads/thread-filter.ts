import type { View } from './thread-pages.ts'

/** Stored in the address. */
export interface ThreadsFilter {
  view: View
  query: string
}

const MAX_QUERY = 200

export function readThreadsFilter(params: URLSearchParams): ThreadsFilter {
  const view = params.get('view')
  return {
    view: view === 'archived' || view === 'trash' ? view : 'active',
    query: (params.get('query') ?? '').trim().slice(0, MAX_QUERY),
  }
}

/** Default values are left out. */
export function writeThreadsFilter({ view, query }: ThreadsFilter): URLSearchParams {
  const params = new URLSearchParams()
  if (view !== 'active') params.set('view', view)
  if (query.trim() !== '') params.set('query', query.trim())
  return params
}
