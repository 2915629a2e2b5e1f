import type { Box } from './box.ts'

/** The IndexedDB store of sealed words. */

export interface StoredBox {
  id?: number
  /** The hash of the owner's id. */
  owner: string
  at: number
  box: Box
}

function openBoxes(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const request = indexedDB.open('sealed-words', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('boxes', { keyPath: 'id', autoIncrement: true })
    request.onsuccess = () => done(request.result)
    request.onerror = () => fail(request.error)
  })
}

async function ask<Answer>(mode: IDBTransactionMode, work: (boxes: IDBObjectStore) => IDBRequest<Answer>) {
  const database = await openBoxes()
  try {
    return await new Promise<Answer>((done, fail) => {
      const transaction = database.transaction('boxes', mode)
      const request = work(transaction.objectStore('boxes'))
      transaction.oncomplete = () => done(request.result)
      transaction.onabort = () => fail(transaction.error ?? new Error('The browser has no room left'))
    })
  } finally {
    database.close()
  }
}

export const putBox = (box: StoredBox) => ask('readwrite', (boxes) => boxes.put(box))
export const removeBox = ({ id = 0 }: StoredBox) => ask('readwrite', (boxes) => boxes.delete(id))
export const readBoxes = () => ask<StoredBox[]>('readonly', (boxes) => boxes.getAll())
