/** IndexedDB stores that survive a reload. Where the browser denies them (private windows), nothing is stored. */

const NAME = 'recordings'
const VERSION = 1
export type StoreName = 'kept' | 'voices' | 'chunks'

let opening: Promise<IDBDatabase | null> | undefined

function open(): Promise<IDBDatabase | null> {
  opening ??= new Promise((done) => {
    try {
      const request = indexedDB.open(NAME, VERSION)
      request.onupgradeneeded = () => {
        request.result.createObjectStore('kept', { keyPath: 'id' })
        request.result.createObjectStore('voices', { keyPath: 'id' })
        request.result.createObjectStore('chunks', { keyPath: ['voiceId', 'number'] })
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
  storeName: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer | null> {
  const database = await open()
  if (!database) return null
  return new Promise((done, fail) => {
    const transaction = database.transaction(storeName, mode)
    const request = work(transaction.objectStore(storeName))
    transaction.oncomplete = () => done(request.result)
    transaction.onabort = () => fail(transaction.error ?? new Error('The browser has no room left'))
  })
}

export const put = (storeName: StoreName, value: unknown) => ask(storeName, 'readwrite', (store) => store.put(value))
export const remove = (storeName: StoreName, key: IDBValidKey | IDBKeyRange) =>
  ask(storeName, 'readwrite', (store) => store.delete(key))
export const readAll = async (storeName: StoreName, range?: IDBKeyRange): Promise<unknown[]> =>
  (await ask(storeName, 'readonly', (store) => store.getAll(range))) ?? []
export const read = (storeName: StoreName, key: IDBValidKey): Promise<unknown> =>
  ask<unknown>(storeName, 'readonly', (store) => store.get(key))

/** The key range of all chunks of a voice recording. */
export const chunksOf = (voiceId: string) => IDBKeyRange.bound([voiceId, 0], [voiceId, Number.MAX_SAFE_INTEGER])
