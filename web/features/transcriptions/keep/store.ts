/** IndexedDB stores that survive a reload. Where the browser denies them (private windows), nothing is stored. */

const NAME = 'recordings'
const VERSION = 1
export type Shelf = 'kept' | 'voices' | 'pieces'

let opening: Promise<IDBDatabase | null> | undefined

function open(): Promise<IDBDatabase | null> {
  opening ??= new Promise((done) => {
    try {
      const request = indexedDB.open(NAME, VERSION)
      request.onupgradeneeded = () => {
        request.result.createObjectStore('kept', { keyPath: 'id' })
        request.result.createObjectStore('voices', { keyPath: 'id' })
        request.result.createObjectStore('pieces', { keyPath: ['voiceId', 'number'] })
      }
      request.onsuccess = () => done(request.result)
      request.onerror = () => done(null)
      request.onblocked = () => done(null)
    } catch {
      done(null)
    }
  })
  return opening
}

async function ask<Answer>(
  shelf: Shelf,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer | null> {
  const database = await open()
  if (!database) return null
  return new Promise((done, fail) => {
    const transaction = database.transaction(shelf, mode)
    const request = work(transaction.objectStore(shelf))
    transaction.oncomplete = () => done(request.result)
    transaction.onabort = () => fail(transaction.error ?? new Error('The browser has no room left'))
  })
}

export const put = (shelf: Shelf, value: unknown) => ask(shelf, 'readwrite', (store) => store.put(value))
export const remove = (shelf: Shelf, key: IDBValidKey | IDBKeyRange) =>
  ask(shelf, 'readwrite', (store) => store.delete(key))
export const readAll = async (shelf: Shelf, range?: IDBKeyRange): Promise<unknown[]> =>
  (await ask(shelf, 'readonly', (store) => store.getAll(range))) ?? []
export const read = (shelf: Shelf, key: IDBValidKey): Promise<unknown> =>
  ask<unknown>(shelf, 'readonly', (store) => store.get(key))

/** All pieces of one voice, in their order. */
export const piecesOf = (voiceId: string) => IDBKeyRange.bound([voiceId, 0], [voiceId, Number.MAX_SAFE_INTEGER])
