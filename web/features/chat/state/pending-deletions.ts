/** The last deletion of each thread: it can be undone for some seconds. */
const deletions = new Map<string, Deletion>()

interface Deletion {
  /** The message before the deleted one. */
  parentId: string | null
  /** Neither undone nor carried out yet. */
  isPending: () => boolean
  /** Ends the time for undo. */
  finish: () => Promise<void>
}

export function noteDeletion(threadId: string, deletion: Deletion): void {
  deletions.set(threadId, deletion)
}

export function pendingDeletion(threadId: string): Deletion | null {
  const deletion = deletions.get(threadId)
  return deletion?.isPending() ? deletion : null
}
