import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { CurrentSession } from './context.ts'
import type { Env } from './route.ts'

export interface EventStream {
  /** False when the client is gone or too slow. */
  write: (text: string) => boolean
  /** Null while the client keeps up; else settles when it has read what waits for it, or is gone. */
  drained: () => Promise<void> | null
  end: () => void
  response: Response
}

const PING_MS = 15_000
/** A page that reads too slowly is disconnected; it reconnects and continues from its last event. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024
/** A program cannot continue, so who writes to it waits until it has read. */
const FULL_BYTES = 256 * 1024
const STALLED_MS = 120_000

/**
 * Server-sent events written straight to the socket: a web stream would cost more than the rest of an answer. The stream
 * ends with the session that reads it; a program with a key has none.
 */
export function openEventStream(
  c: Context<Env>,
  session: Pick<CurrentSession, 'id'> | null,
  onClose: () => void,
  headers: Record<string, string> = {},
): EventStream {
  const { outgoing } = c.env
  let isOpen = true
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': c.var.requestId,
    ...headers,
  })
  outgoing.flushHeaders()
  const ping = setInterval(() => outgoing.write(': ping\n\n'), PING_MS)
  // A piece of an answer is several events: one write costs less than several, although the socket joins them.
  let unwritten = ''
  const flush = () => {
    if (unwritten !== '' && isOpen) outgoing.write(unwritten)
    unwritten = ''
  }
  const endNow = () => {
    flush()
    if (isOpen) outgoing.end()
    isOpen = false
  }
  let draining: Promise<void> | null = null
  const drained = () => {
    if (!isOpen || outgoing.writableLength + unwritten.length < FULL_BYTES) return null
    draining ??= new Promise((done) => {
      const timer = setTimeout(() => outgoing.destroy(), STALLED_MS)
      const finish = () => {
        clearTimeout(timer)
        outgoing.off('drain', finish).off('close', finish)
        draining = null
        done()
      }
      outgoing.on('drain', finish).on('close', finish)
    })
    return draining
  }
  const unwatch = session ? c.var.onSessionEnd(session.id, endNow) : () => undefined
  outgoing.on('close', () => {
    isOpen = false
    unwatch()
    clearInterval(ping)
    onClose()
  })
  // A client that disconnects is not an error.
  outgoing.on('error', () => {})
  return {
    write: (text) => {
      if (!isOpen) return false
      if (unwritten === '') process.nextTick(flush)
      unwritten += text
      if (session === null || outgoing.writableLength + unwritten.length <= MAX_UNSENT_BYTES) return true
      outgoing.destroy()
      return false
    },
    drained,
    end: () => {
      flush()
      void drained()
      if (isOpen) outgoing.end()
    },
    response: RESPONSE_ALREADY_SENT,
  }
}
