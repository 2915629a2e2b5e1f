import type { WebSocket } from 'ws'
import {
  BAD_FRAME,
  type ClientFrame,
  readClientFrame,
  SESSION_ENDED,
  type ServerFrame,
  writeServerFrame,
} from '#contract/realtime.ts'
import type { CurrentSession, OnSessionEnd, Publish } from '#server/http/context.ts'
import type { Bus } from './bus.ts'
import { type Changes, createChanges } from './changes.ts'

interface Listener {
  socket: WebSocket
  session: CurrentSession
  topics: Set<string>
  lastFrameAt: number
  framesThisSecond: number
}

export interface Hub {
  publish: Publish
  changes: Changes
  endSession: (sessionId: string) => void
  /** Calls back when a session ends, on whatever instance; the returned function stops that. */
  onSessionEnd: OnSessionEnd
  join: (socket: WebSocket, session: CurrentSession) => void
  size: () => number
  close: () => void
}

interface HubDeps {
  bus: Bus
  buildId: string
  /** Which of these sessions are valid; checked once a minute in case an event was lost. */
  aliveSessions: (ids: string[]) => Promise<Set<string>>
  onError: (error: unknown) => void
}

const SILENCE_MS = 30_000
const RECHECK_MS = 60_000
const MAX_FRAMES_PER_SECOND = 20
const MAX_TOPICS = 100
/** A client with so much unsent data does not read; it is disconnected and will reconnect. */
const MAX_UNSENT_BYTES = 1024 * 1024

/** Topics are per user, so that subscribing to another user's topic delivers nothing. */
export function createHub({ bus, buildId, aliveSessions, onError }: HubDeps): Hub {
  const byUser = new Map<string, Set<Listener>>()
  const changes = createChanges(bus)
  const watchers = new Map<string, Set<() => void>>()
  const all = () => [...byUser.values()].flatMap((listeners) => [...listeners])

  bus.listen((busEvent) => {
    if (busEvent.type === 'event') {
      changes.note(busEvent.userId)
      for (const listener of byUser.get(busEvent.userId) ?? []) {
        if (listener.topics.has(busEvent.event.topic)) send(listener, { type: 'event', event: busEvent.event })
      }
    } else if (busEvent.type === 'session-ended') {
      for (const listener of all()) {
        if (listener.session.id === busEvent.sessionId) listener.socket.close(SESSION_ENDED, 'session ended')
      }
      callWatchers(busEvent.sessionId)
    }
  })

  function callWatchers(sessionId: string) {
    for (const onEnd of [...(watchers.get(sessionId) ?? [])]) onEnd()
  }

  function receive(listener: Listener, text: string) {
    listener.framesThisSecond += 1
    const frame = listener.framesThisSecond > MAX_FRAMES_PER_SECOND ? null : readClientFrame(text)
    if (!frame || !handleFrame(listener, frame)) listener.socket.close(BAD_FRAME, 'bad frame')
  }

  function handleFrame(listener: Listener, frame: ClientFrame): boolean {
    if (frame.type === 'heartbeat') {
      listener.lastFrameAt = Date.now()
      send(listener, { type: 'pong' })
      if (frame.buildId !== buildId) send(listener, { type: 'new-build', buildId })
      return true
    }
    if (frame.type === 'since') {
      if (!changes.isCurrent(listener.session.user.id, frame.mark)) send(listener, { type: 'missed' })
      return true
    }
    if (frame.type === 'unsubscribe') return listener.topics.delete(frame.topic) || true
    listener.topics.add(frame.topic)
    return listener.topics.size <= MAX_TOPICS
  }

  const everySecond = setInterval(() => {
    for (const listener of all()) {
      listener.framesThisSecond = 0
      if (Date.now() - listener.lastFrameAt > SILENCE_MS) listener.socket.terminate()
    }
  }, 1000)
  const recheck = setInterval(() => {
    const listeners = all()
    const watched = [...watchers.keys()]
    const ids = new Set([...listeners.map(({ session }) => session.id), ...watched])
    if (ids.size === 0) return
    aliveSessions([...ids]).then((alive) => {
      for (const id of watched) if (!alive.has(id)) callWatchers(id)
      for (const { session, socket } of listeners)
        if (!alive.has(session.id)) socket.close(SESSION_ENDED, 'session ended')
    }, onError)
  }, RECHECK_MS)

  return {
    changes,
    publish: (userId, event) => bus.send({ type: 'event', userId, event }),
    endSession: (sessionId) => bus.send({ type: 'session-ended', sessionId }),
    onSessionEnd: (sessionId, onEnd) => {
      const mine = watchers.get(sessionId) ?? new Set()
      watchers.set(sessionId, mine.add(onEnd))
      return () => {
        mine.delete(onEnd)
        if (mine.size === 0 && watchers.get(sessionId) === mine) watchers.delete(sessionId)
      }
    },
    join: (socket, session) => {
      const listener: Listener = { socket, session, topics: new Set(), lastFrameAt: Date.now(), framesThisSecond: 0 }
      const listeners = byUser.get(session.user.id) ?? new Set()
      byUser.set(session.user.id, listeners.add(listener))
      socket.on('message', (data, isBinary) => receive(listener, isBinary ? '' : data.toString()))
      // A closed tab, a lost network or a broken frame is no error of the server; the socket closes itself.
      socket.on('error', () => {})
      socket.on('close', () => {
        listeners.delete(listener)
        if (listeners.size === 0) byUser.delete(session.user.id)
      })
    },
    size: () => all().length,
    close: () => {
      clearInterval(everySecond)
      clearInterval(recheck)
      for (const { socket } of all()) socket.close(1001, 'server is going away')
    },
  }
}

function send({ socket }: Listener, frame: ServerFrame) {
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.terminate()
  socket.send(writeServerFrame(frame))
}
