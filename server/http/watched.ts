import type { Mail } from '#server/email/mail.ts'
import type { Storage } from '#server/storage/storage.ts'
import { countEmailError, countStorageError } from './metrics.ts'

/** The same mail, with its failures counted. */
export function watchMail(mail: Mail): Mail {
  return (email) => noting(() => mail(email), countEmailError)
}

/** The same storage, with its failures counted. */
export function watchStorage(storage: Storage): Storage {
  const { put, read, delete: remove, list } = storage
  return {
    ...storage,
    put: (...args) =>
      noting(
        () => put(...args),
        () => countStorageError('put'),
      ),
    read: (...args) =>
      noting(
        () => read(...args),
        () => countStorageError('read'),
      ),
    delete: (...args) =>
      noting(
        () => remove(...args),
        () => countStorageError('delete'),
      ),
    list: async function* (prefix) {
      try {
        yield* list(prefix)
      } catch (error) {
        countStorageError('list')
        throw error
      }
    },
  }
}

async function noting<T>(action: () => Promise<T>, onError: () => void): Promise<T> {
  try {
    return await action()
  } catch (error) {
    onError()
    throw error
  }
}
