import { useSyncExternalStore } from 'react'
import type { Attachment } from '#contract/files.ts'
import { createListeners } from '#web/lib/create-store.ts'
import { hasFields, readJson } from '#web/lib/stored.ts'
import { areAttachments } from './stored-files.ts'

/** Unsent text, files and the image to change, one draft per chat, stored in this browser. */

export interface Draft {
  text: string
  files: Attachment[]
  /** The image that the message asks to change. */
  imageId?: string | undefined
}

export const emptyDraft: Draft = { text: '', files: [] }
const PREFIX = 'draft:'
const KEEP_MS = 400
const MOST = 50

/** The key includes the user, since several users may share a browser. Without a thread: the chat not started yet. */
export function draftKey(userId: string, threadId: string | null): string {
  return `${PREFIX}${userId}:${threadId ?? 'new'}`
}

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export function createDrafts(storage: Memory, now: () => number = Date.now) {
  const drafts = new Map<string, Draft>()
  const unsaved = new Set<string>()
  const { notify, subscribe } = createListeners()
  let timer: ReturnType<typeof setTimeout> | undefined

  function read(key: string): Draft {
    const known = drafts.get(key) ?? parse(storage.getItem(key))
    drafts.set(key, known)
    return known
  }

  function write(key: string, draft: Draft) {
    drafts.set(key, draft)
    unsaved.add(key)
    timer ??= setTimeout(flush, KEEP_MS)
    notify()
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    for (const key of unsaved) keep(key, read(key))
    unsaved.clear()
  }

  function keep(key: string, draft: Draft) {
    if (isEmpty(draft)) return storage.removeItem(key)
    if (storage.getItem(key) === null) dropOldest()
    try {
      storage.setItem(key, JSON.stringify({ ...draft, at: now() }))
    } catch {
      // The storage is full: the draft is lost when the page is closed.
    }
  }

  function dropOldest() {
    const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '').filter(isDraft)
    if (keys.length < MOST) return
    const ages = keys.map((key) => ({ key, at: readAge(storage.getItem(key)) }))
    for (const { key } of ages.sort((a, b) => a.at - b.at).slice(0, keys.length - MOST + 1)) storage.removeItem(key)
  }

  /** Applies a change of another tab, unless the draft is being edited here. */
  function receive({ key, oldValue, newValue }: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>) {
    if (key === null) return forget()
    const here = drafts.get(key)
    if (!here || unsaved.has(key) || here.text !== parse(oldValue).text) return
    drafts.set(key, parse(newValue))
    notify()
  }

  /** The storage was cleared: what is in memory must not be written again. */
  function forget() {
    clearTimeout(timer)
    timer = undefined
    drafts.clear()
    unsaved.clear()
    notify()
  }

  return {
    read,
    write,
    flush,
    receive,
    append(key: string, { text, files }: Draft) {
      const before = read(key)
      const joined = [before.text.trimEnd(), text].filter(Boolean).join('\n\n')
      write(key, { ...before, text: joined, files: [...before.files, ...files] })
    },
    /** Stored at once: a page that is closed now must not show a sent text again. */
    clear(key: string) {
      write(key, emptyDraft)
      flush()
    },
    subscribe,
  }
}

function isEmpty({ text, files, imageId }: Draft): boolean {
  return text === '' && files.length === 0 && !imageId
}

const isDraft = (key: string) => key.startsWith(PREFIX)

function parse(stored: string | null): Draft {
  const draft = readJson(stored)
  if (!hasFields<Draft>(draft, { text: 'string' })) return emptyDraft
  // The text stays even if the stored files are invalid.
  const { text, files, imageId } = draft
  return { text, files: areAttachments(files) ? files : [], ...(typeof imageId === 'string' && { imageId }) }
}

function readAge(stored: string | null): number {
  const draft = readJson(stored)
  return hasFields<{ at: number }>(draft, { at: 'number' }) ? draft.at : 0
}

let pageDrafts: ReturnType<typeof createDrafts> | undefined

export function drafts() {
  if (pageDrafts) return pageDrafts
  const opened = createDrafts(localStorage)
  addEventListener('pagehide', opened.flush)
  addEventListener('visibilitychange', () => document.hidden && opened.flush())
  addEventListener('storage', opened.receive)
  addEventListener('leaving', opened.flush)
  pageDrafts = opened
  return opened
}

export function useDraft(key: string): Draft {
  return useSyncExternalStore(drafts().subscribe, () => drafts().read(key))
}

/** The next message of the chat asks to change this image. */
export function changeImageInDraft(userId: string, threadId: string, imageId: string): void {
  const key = draftKey(userId, threadId)
  drafts().write(key, { ...drafts().read(key), imageId })
  drafts().flush()
}

/** Appends text to the draft of a chat; null is the chat not started yet. */
export function appendToDraft(userId: string, threadId: string | null, text: string): void {
  drafts().append(draftKey(userId, threadId), { text, files: [] })
  drafts().flush()
}
