import type { Mail } from '#server/email/mail.ts'
import type { Storage } from '#server/storage/storage.ts'
import { countEmailError, countStorageError } from './metrics.ts'

/** Counts the errors of `mail`. */
export function watchMail(mail: Mail): Mail {
  return (email) => countingErrors(() => mail(email), countEmailError)
}

/** Counts the errors of `storage`. */
export function watchStorage(storage: Storage): Storage {
  const { put, read, delete: remove, list } = storage
  return {
    ...storage,
    put: (...args) =>
      countingErrors(
        () => put(...args),
        () => countStorageError('put'),
      ),
    read: (...args) =>
      countingErrors(
        () => read(...args),
        () => countStorageError('read'),
      ),
    delete: (...args) =>
      countingErrors(
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

async function countingErrors<T>(action: () => Promise<T>, onError: () => void): Promise<T> {
  try {
    return await action()
  } catch (error) {
    onError()
    throw error
  }
}
