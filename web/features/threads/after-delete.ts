import { paths } from '#web/lib/paths.ts'

interface Deletion {
  /** The thread on the screen, if it is one. */
  openId: string | null
  deletedIds: readonly string[]
  /** The list as it was shown. */
  listIds: readonly string[]
}

/** Where to go after deleting, or null to stay: the specification, section 2. */
export function wayAfterDelete({ openId, deletedIds, listIds }: Deletion): string | null {
  if (!openId || !deletedIds.includes(openId)) return null
  const next = listIds.find((id) => !deletedIds.includes(id))
  return next ? paths.thread(next) : paths.home()
}
