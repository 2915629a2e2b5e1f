import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Mail } from '#server/email/mail.ts'
import { StartError } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { countEmailError, countStorageError } from './metrics.ts'

/** How long open connections may take to end after the last response. */
const LAST_WORDS_MS = 500

interface Place {
  host: string
  port: number
}

export function listen(fetch: Parameters<typeof serve>[0]['fetch'], { host, port }: Place): Promise<Server> {
  return new Promise((done, fail) => {
    const server = serve({ fetch, hostname: host, port }, () => done(server)) as Server
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      fail(taken ? new StartError(`Порт ${port} занят. Освободите его или задайте другой PORT.`) : error)
    })
  })
}

/** Stops accepting, lets running requests finish, then closes all connections. */
export function drain(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS).unref()
  })
}

export function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

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
