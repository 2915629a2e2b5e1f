import { useSyncExternalStore } from 'react'
import type { Attachment } from '#contract/files.ts'
import type { Thinking } from '#contract/models.ts'
import type { WebSearch } from '#contract/web-search.ts'
import { createListeners } from '#web/lib/create-store.ts'
import { hasFields, readJson } from '#web/lib/stored.ts'
import { areAttachments } from './stored-files.ts'

/**
 * Messages on their way to the server, stored in this browser until the server starts the answer:
 * neither a reload nor a lost connection loses one. The id makes a repeat harmless.
 */

export interface OutboxItem {
  id: string
  userId: string
  threadId: string
  content: string
  files: Attachment[]
  /** The image that it asks to change. */
  imageId?: string | undefined
  /** The message it follows; undefined for the last one of the thread. */
  parentId?: string | null | undefined
  modelId?: string | undefined
  /** Personal data is not hidden from the model. */
  asIs?: boolean | undefined
  /** How much the model may think; without it as usual. */
  thinking?: Thinking | undefined
  /** Search the web before the answer; pages of the message to read. */
  web?: WebSearch | undefined
  pages?: string[] | undefined
  /** The thread has to be created first. */
  newThread?: { modelId: string | null; assistantId: string | null; temporary?: boolean | undefined } | undefined
  /** It was rejected and waits for the user. */
  failure?: { code: string; message: string } | undefined
  at: number
}

const PREFIX = 'outbox:'

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export function createOutbox(storage: Memory) {
  const items = new Map<string, OutboxItem>()
  const listeners = createListeners()
  let sorted: readonly OutboxItem[] | null = null
  takeAll()

  function takeAll() {
    for (let i = 0; i < storage.length; i++) take(storage.key(i) ?? '')
  }

  function take(key: string) {
    if (!key.startsWith(PREFIX)) return
    const item = parse(storage.getItem(key))
    if (item) items.set(item.id, item)
    else items.delete(key.slice(PREFIX.length))
  }

  function notify() {
    sorted = null
    listeners.notify()
  }

  function put(item: OutboxItem) {
    items.set(item.id, item)
    try {
      storage.setItem(PREFIX + item.id, JSON.stringify(item))
    } catch {
      // The storage is full: the message is lost when the page is closed.
    }
    notify()
  }

  return {
    /** In the order of writing. */
    all(): readonly OutboxItem[] {
      sorted ??= [...items.values()].sort((a, b) => a.at - b.at)
      return sorted
    },
    get: (id: string) => items.get(id),
    put,
    update(id: string, change: Partial<OutboxItem>) {
      const item = items.get(id)
      if (item) put({ ...item, ...change })
    },
    remove(id: string) {
      if (!items.delete(id)) return
      storage.removeItem(PREFIX + id)
      notify()
    },
    /** Another tab changed an item; a null key means that the storage was cleared, or belongs to another user now. */
    receive({ key }: Pick<StorageEvent, 'key'>) {
      if (key !== null && !key.startsWith(PREFIX)) return
      if (key === null) {
        items.clear()
        takeAll()
      } else take(key)
      notify()
    },
    subscribe: listeners.subscribe,
  }
}

function parse(stored: string | null): OutboxItem | null {
  const item = readJson(stored)
  const text = 'string'
  const isItem = hasFields<OutboxItem>(item, { id: text, userId: text, threadId: text, content: text, at: 'number' })
  return isItem && areAttachments(item.files) ? item : null
}

type Outbox = ReturnType<typeof createOutbox>
let pageOutbox: Outbox | undefined

export function outbox(): Outbox {
  if (pageOutbox) return pageOutbox
  const opened = createOutbox(localStorage)
  addEventListener('storage', opened.receive)
  pageOutbox = opened
  return opened
}

export function useOutbox(): readonly OutboxItem[] {
  return useSyncExternalStore(outbox().subscribe, outbox().all)
}
