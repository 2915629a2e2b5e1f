import type { Thread, ThreadChange, ThreadFilter, ThreadRow } from '#contract/threads.ts'

/** Cached lists of threads: pages in the order of the server, changed without reading them again. */

export type View = ThreadFilter['view']

export interface ThreadPage {
  items: ThreadRow[]
  nextCursor: string | null
}

export function viewOf({ deletedAt, archived }: Thread): View {
  if (deletedAt) return 'trash'
  return archived ? 'archived' : 'active'
}

/** The thread as the server will return it. */
export function applyThreadChange(
  thread: Thread,
  { title, projectId, pinned, archived, temporary, deleted }: ThreadChange,
): Thread {
  return {
    ...thread,
    ...(title !== undefined && { title: title.trim() }),
    ...(projectId !== undefined && { projectId }),
    ...(pinned !== undefined && { pinned }),
    ...(archived !== undefined && { archived }),
    ...(temporary !== undefined && { temporary }),
    ...(deleted === false && { deletedAt: null }),
  }
}

/** Inserts a thread at its position, or removes it from a list it no longer belongs to. */
export function placeThread(pages: ThreadPage[], view: View, thread: Thread, project?: string): ThreadPage[] {
  const rows = rowsOf(pages).filter(({ id }) => id !== thread.id)
  const isElsewhere = project !== undefined && thread.projectId !== project
  if (thread.temporary || isElsewhere || viewOf(thread) !== view) return spread(rows, pages)
  const firstWords = rowsOf(pages).find(({ id }) => id === thread.id)?.firstWords
  const placed: ThreadRow = firstWords === undefined ? thread : { firstWords, ...thread }
  const at = rows.findIndex((row) => compare(view, placed, row) < 0)
  if (at >= 0) return spread(rows.toSpliced(at, 0, placed), pages)
  // After the last loaded row: it comes with the next page.
  return spread(pages.at(-1)?.nextCursor ? rows : [...rows, placed], pages)
}

/** In search results a thread stays in place with its matches. */
export function replaceFound(pages: ThreadPage[], view: View, thread: Thread): ThreadPage[] {
  return pages.map((page) => ({
    ...page,
    items: page.items
      .filter(({ id }) => id !== thread.id || viewOf(thread) === view)
      .map((row) => (row.id === thread.id ? { ...row, ...thread } : row)),
  }))
}

export function removeThread(pages: ThreadPage[], gone: string): ThreadPage[] {
  return pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => id !== gone) }))
}

export function rowsOf(pages: ThreadPage[]): ThreadRow[] {
  return pages.flatMap(({ items }) => items)
}

/** Distributes rows over the pages again. The last page takes the difference; cursors are times and stay valid. */
function spread(rows: ThreadRow[], pages: ThreadPage[]): ThreadPage[] {
  let from = 0
  return pages.map((page, i) => {
    const to = i === pages.length - 1 ? rows.length : from + page.items.length
    const items = rows.slice(from, to)
    from = to
    return { ...page, items }
  })
}

function compare(view: View, a: Thread, b: Thread): number {
  if (view === 'active' && a.pinned !== b.pinned) return a.pinned ? -1 : 1
  const [mine, other] = view === 'trash' ? [a.deletedAt ?? '', b.deletedAt ?? ''] : [a.updatedAt, b.updatedAt]
  if (mine !== other) return mine > other ? -1 : 1
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1
}
