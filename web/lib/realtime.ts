import {
  HEARTBEAT_MS,
  isTopic,
  readServerFrame,
  SESSION_ENDED,
  type TopicEvent,
  writeClientFrame,
} from '#contract/realtime.ts'
import { reconnectDelay } from './reconnect-delay.ts'

export type TopicListener = (event: TopicEvent) => void

interface Options {
  buildId: string
  onNewBuild: (buildId: string) => void
  onSessionEnded: () => void
  /**
   * Events may have been missed before the first connection: after so many milliseconds the server is asked whether
   * anything has changed since the mark, and if so, or without a mark, listeners get `resumed`.
   */
  firstCatchUp?: () => { after: number; mark: string | null } | null
  connect?: () => WebSocket
}

/** Unanswered heartbeats after which the connection is treated as lost. */
const UNANSWERED = 3

type Realtime = ReturnType<typeof createRealtime>
let current: Realtime | null = null

/** Opens the page's socket; the returned function closes it. */
export function openRealtime(options: Options): () => void {
  current?.close()
  const opened = createRealtime(options)
  current = opened
  return () => {
    opened.close()
    if (current === opened) current = null
  }
}

/** Subscribes to a topic. After a reconnect each listener gets `resumed`: events may have been missed. */
export function subscribe(topic: string, listener: TopicListener): () => void {
  if (!current) throw new Error('Соединение ещё не открыто')
  return current.subscribe(topic, listener)
}

function connectHere(): WebSocket {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/websocket`)
}

function createRealtime({ buildId, onNewBuild, onSessionEnded, firstCatchUp, connect = connectHere }: Options) {
  const topics = new Map<string, Set<TopicListener>>()
  let socket: WebSocket | null = null
  let attempt = 0
  let unanswered = 0
  let isFirst = true
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let reconnect: ReturnType<typeof setTimeout> | undefined
  let resuming: ReturnType<typeof setTimeout> | undefined

  function open() {
    clearTimeout(reconnect)
    const opening = connect()
    socket = opening
    opening.onopen = greet
    opening.onmessage = ({ data }) => receive(String(data))
    opening.onclose = ({ code }) => {
      drop()
      if (code === SESSION_ENDED) onSessionEnded()
    }
  }

  function greet() {
    unanswered = 0
    beat()
    heartbeat = setInterval(beat, HEARTBEAT_MS)
    for (const topic of topics.keys()) send(writeClientFrame({ type: 'subscribe', topic }))
    if (!isFirst) return resume()
    isFirst = false
    const first = firstCatchUp?.()
    if (first) resuming = setTimeout(catchUp, first.after, first.mark)
  }

  function catchUp(mark: string | null) {
    if (mark) send(writeClientFrame({ type: 'since', mark }))
    else resume()
  }

  /** In separate tasks: the refetches of all listeners at once would block a page that has just been opened. */
  function resume() {
    for (const topic of topics.keys()) setTimeout(notify, 0, { topic, type: 'resumed', data: null })
  }

  function beat() {
    if (unanswered >= UNANSWERED) return drop()
    unanswered += 1
    send(writeClientFrame({ type: 'heartbeat', buildId }))
  }

  function receive(text: string) {
    unanswered = 0
    attempt = 0
    const frame = readServerFrame(text)
    if (frame?.type === 'new-build') onNewBuild(frame.buildId)
    if (frame?.type === 'event') notify(frame.event)
    if (frame?.type === 'missed') resume()
  }

  function notify(event: TopicEvent) {
    for (const listener of topics.get(event.topic) ?? []) listener(event)
  }

  function send(text: string) {
    if (socket?.readyState === 1) socket.send(text)
  }

  function hangUp() {
    clearInterval(heartbeat)
    clearTimeout(reconnect)
    clearTimeout(resuming)
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
    socket = null
  }

  function drop() {
    hangUp()
    reconnect = setTimeout(open, reconnectDelay(attempt))
    attempt += 1
  }

  function wake() {
    if (document.visibilityState === 'hidden') return
    if (socket) beat()
    else open()
  }

  addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  open()

  return {
    subscribe(topic: string, listener: TopicListener) {
      if (!isTopic(topic)) throw new Error(`Нет такой темы: ${topic}`)
      const listeners = topics.get(topic) ?? new Set()
      if (listeners.size === 0) send(writeClientFrame({ type: 'subscribe', topic }))
      topics.set(topic, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || topics.get(topic) !== listeners) return
        topics.delete(topic)
        send(writeClientFrame({ type: 'unsubscribe', topic }))
      }
    },
    close() {
      hangUp()
      removeEventListener('online', wake)
      document.removeEventListener('visibilitychange', wake)
    },
  }
}
