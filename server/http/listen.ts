import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Mail } from '#server/email/mail.ts'
import { createServiceState, type ServiceState } from '#server/instances/service-state.ts'
import { AppError, StartError } from '#server/lib/errors.ts'
import { type Storage, StorageError } from '#server/storage/storage.ts'
import { countEmailError, countStorageError } from './metrics.ts'
import { continueWhenRead, endConnection, finishUnread, isEnding, UNREAD, type UnreadLimits } from './unread-bodies.ts'

/** How long open connections may take to end after the last response. */
const CLOSE_MS = 500
const LOOK_MS = 50

/**
 * An idle connection stays open longer than every proxy keeps it: a proxy that sends a request on one that we are
 * closing answers 502. The longest known time is 600 s; see docs/operations/proxy.md.
 */
const KEEP_ALIVE_MS = 620_000

interface ListenOptions {
  host: string
  port: number
  /** Once true, every answer ends its connection. */
  isDraining?: () => boolean
  keepAliveMs?: number
  unread?: UnreadLimits
}

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>

export function listen(fetch: Fetch, options: ListenOptions): Promise<Server> {
  const { host, port, isDraining = () => false, keepAliveMs = KEEP_ALIVE_MS, unread = UNREAD } = options
  const answer = async (request: Request, env: HttpBindings) => {
    const response = hasTwoHosts(env.incoming) ? twoHosts() : await fetch(request, env)
    if (isDraining()) endConnection(env.incoming, env.outgoing)
    finishUnread(env.incoming, env.outgoing, unread)
    return response
  }
  const listener = getRequestListener((request, env) => answer(request, env as HttpBindings), { hostname: host })
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (incoming, outgoing) => {
    if (isEnding(incoming)) return
    countRunning(server, 1)
    outgoing.once('close', () => countRunning(server, -1))
    void listener(incoming, outgoing)
  })
  continueWhenRead(server)
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      fail(taken ? new StartError(`Порт ${port} занят. Освободите его или задайте другой PORT.`) : error)
    })
    server.listen(port, host, () => done(server))
  })
}

/** A proxy and we could take different ones for the real one. */
const hasTwoHosts = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length > 1

function twoHosts(): Response {
  const error = new AppError('bad_request', 'В запросе два заголовка Host: оставьте один.')
  return Response.json(error.toBody(), { status: error.status })
}

/** The requests of a server that have no whole answer yet. */
const running = new WeakMap<Server, number>()
const runningOf = (server: Server) => running.get(server) ?? 0
const countRunning = (server: Server, change: number) => void running.set(server, runningOf(server) + change)

/** Stops accepting, lets running requests finish for so long, then closes all connections. */
export async function drain(server: Server, patienceMs: number): Promise<void> {
  // What has arrived is read first: the event loop polls for it between two turns.
  await turn()
  await turn()
  const waitUntil = Date.now() + patienceMs
  await new Promise<void>((done) => {
    server.close(() => done())
    const closeOrWait = () => {
      if (runningOf(server) > 0 && Date.now() < waitUntil) setTimeout(closeOrWait, LOOK_MS).unref()
      else server.closeAllConnections()
    }
    setTimeout(closeOrWait, CLOSE_MS).unref()
  })
}

export function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Counts the errors of `mail` and notes whether it works. A rejected recipient says nothing about the mail server. */
export function watchMail(mail: Mail, state: ServiceState = createServiceState('mail')): Mail {
  return async (email) => {
    try {
      await mail(email)
      state.note('send', true)
    } catch (error) {
      countEmailError()
      if (!badEmailCodes.has((error as { code?: unknown }).code)) state.note('send', false)
      throw error
    }
  }
}

/** Codes of nodemailer for an address or a message that is not accepted. */
const badEmailCodes = new Set<unknown>(['EENVELOPE', 'EMESSAGE'])

/** A storage that does not name its owner in this time does not work. */
const OWNER_MS = 10_000

/**
 * Counts the errors of `storage` and notes whether it works. Without any response the whole service counts as down, and
 * any later success ends that; another error, such as a full disk, concerns only that operation.
 */
export function watchStorage(storage: Storage, state: ServiceState = createServiceState('storage')): Storage {
  const { put, read, delete: remove, list, readOwner } = storage
  const succeeded = (operation: Operation) => {
    state.note(operation, true)
    state.note(RESPONSE, true)
  }
  const failed = (operation: Operation, error: unknown) => {
    const isSilent = error instanceof NoAnswer || (error instanceof StorageError && error.code === null)
    state.note(isSilent ? RESPONSE : operation, false)
    countStorageError(operation)
  }
  const watched = async <T>(operation: Operation, action: () => Promise<T>): Promise<T> => {
    try {
      const result = await action()
      succeeded(operation)
      return result
    } catch (error) {
      failed(operation, error)
      throw error
    }
  }
  return {
    ...storage,
    put: (...args) => watched('put', () => put(...args)),
    read: (...args) => watched('read', () => read(...args)),
    delete: (...args) => watched('delete', () => remove(...args)),
    readOwner: () => watched('owner', () => inTime(readOwner(), OWNER_MS)),
    list: async function* (prefix) {
      try {
        yield* list(prefix)
        succeeded('list')
      } catch (error) {
        failed('list', error)
        throw error
      }
    },
  }
}

/** The state of the service as a whole, beside those of the operations. */
const RESPONSE = 'response'
class NoAnswer extends Error {}

type Operation = Parameters<typeof countStorageError>[0]

async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new NoAnswer(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
