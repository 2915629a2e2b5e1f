import type { Thread, ThreadChange, ThreadFilter, ThreadRow } from '#contract/threads.ts'

/** Lists of threads as they are kept: pages in the server's order, changed without asking for them again. */

export type View = ThreadFilter['view']

export interface ThreadPage {
  items: ThreadRow[]
  nextCursor: string | null
}

export function viewOf({ deletedAt, archived }: Thread): View {
  if (deletedAt) return 'trash'
  return archived ? 'archived' : 'active'
}

/** The thread as it will be once the server has agreed. */
export function withChange(thread: Thread, { title, pinned, archived, deleted }: ThreadChange): Thread {
  return {
    ...thread,
    ...(title !== undefined && { title: title.trim() }),
    ...(pinned !== undefined && { pinned }),
    ...(archived !== undefined && { archived }),
    ...(deleted === false && { deletedAt: null }),
  }
}

/** Puts a thread where it belongs now, or takes it away from a list it has left. */
export function placeThread(pages: ThreadPage[], view: View, thread: Thread): ThreadPage[] {
  const rows = rowsOf(pages).filter(({ id }) => id !== thread.id)
  if (viewOf(thread) !== view) return spread(rows, pages)
  const at = rows.findIndex((row) => compare(view, thread, row) < 0)
  if (at >= 0) return spread(rows.toSpliced(at, 0, thread), pages)
  // Behind the last row that is known, it comes with the page it is on.
  return spread(pages.at(-1)?.nextCursor ? rows : [...rows, thread], pages)
}

/** In what a search found a thread keeps its place and the words it was found by. */
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

export type ListChange = 'changed' | 'removed'

/**
 * The list after some of its pages were read again because of news. Null when that does not tell where a thread went:
 * then the whole list has to be read.
 */
export function catchUp(
  pages: ThreadPage[],
  fresh: ThreadRow[],
  batch: ReadonlyMap<string, ListChange>,
): ThreadPage[] | null {
  const read = newestOf(fresh)
  const rows = rowsOf(pages)
  const others = rows.filter(({ id }) => !read.has(id) && batch.get(id) !== 'removed')
  if (others.some(({ id }) => batch.has(id))) return null
  const last = rows.at(-1)
  const isWhole = !pages.at(-1)?.nextCursor
  const inReach = [...read.values()].filter((row) => isWhole || (last && compare('active', row, last) <= 0))
  return spread(
    [...others, ...inReach].sort((a, b) => compare('active', a, b)),
    pages,
  )
}

/** A thread that moved between two reads is on both pages. */
function newestOf(rows: ThreadRow[]): Map<string, ThreadRow> {
  const newest = new Map<string, ThreadRow>()
  for (const row of rows) {
    if (row.version >= (newest.get(row.id)?.version ?? 0)) newest.set(row.id, row)
  }
  return newest
}

/** The places of the pages that hold some of these threads; the first one always, for there the new ones come. */
export function pagesOf(pages: ThreadPage[], ids: { has: (id: string) => boolean }): number[] {
  return pages.flatMap(({ items }, place) => (place === 0 || items.some(({ id }) => ids.has(id)) ? [place] : []))
}

export function rowsOf(pages: ThreadPage[]): ThreadRow[] {
  return pages.flatMap(({ items }) => items)
}

/** The last page takes what came in and lends what went out; the cursors stay valid, for they name moments. */
function spread(rows: ThreadRow[], pages: ThreadPage[]): ThreadPage[] {
  let from = 0
  return pages.map((page, place) => {
    const to = place === pages.length - 1 ? rows.length : from + page.items.length
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
