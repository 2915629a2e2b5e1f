/** The chat that was last open in this tab, so that one can come back to it from elsewhere. */

const key = (userId: string) => `last-thread:${userId}`

export function lastThread(userId: string, storage: Pick<Storage, 'getItem'> = sessionStorage): string | null {
  return storage.getItem(key(userId))
}

/** Null once it is no more. */
export function rememberThread(
  userId: string,
  threadId: string | null,
  storage: Pick<Storage, 'setItem' | 'removeItem'> = sessionStorage,
): void {
  if (threadId === null) storage.removeItem(key(userId))
  else storage.setItem(key(userId), threadId)
}
