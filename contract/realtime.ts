import * as z from 'zod/mini'

/** The text frames of /api/websocket; only this file writes and reads them. */

export const HEARTBEAT_MS = 5000

export type ClientFrame =
  | { type: 'heartbeat'; buildId: string }
  | { type: 'subscribe'; topic: string }
  | { type: 'unsubscribe'; topic: string }
  /** Answered with `missed` if anything may have changed since the mark of the page. */
  | { type: 'since'; mark: string }

export const TopicEvent = z.object({ topic: z.string(), type: z.string(), data: z.unknown() })
export type TopicEvent = z.infer<typeof TopicEvent>

export type ServerFrame =
  | { type: 'pong' }
  | { type: 'new-build'; buildId: string }
  | { type: 'event'; event: TopicEvent }
  | { type: 'missed' }

/** Close code: the session of the socket has ended. */
export const SESSION_ENDED = 4401
/** Close code: the client sent an invalid frame. */
export const BAD_FRAME = 4400

const topicPattern = /^(profile|threads|images|assistants|projects|imports|files|transcriptions|thread:[\w-]{1,64})$/

export function isTopic(topic: string): boolean {
  return topicPattern.test(topic)
}

export function writeClientFrame(frame: ClientFrame): string {
  if (frame.type === 'heartbeat') return `client-build:${frame.buildId}`
  return `${frame.type}:${frame.type === 'since' ? frame.mark : frame.topic}`
}

export function readClientFrame(text: string): ClientFrame | null {
  const [name, rest] = cut(text)
  if (name === 'client-build' && rest.length <= 100) return { type: 'heartbeat', buildId: rest }
  if (name === 'since' && rest.length <= 100) return { type: 'since', mark: rest }
  if ((name === 'subscribe' || name === 'unsubscribe') && isTopic(rest)) return { type: name, topic: rest }
  return null
}

export function writeServerFrame(frame: ServerFrame): string {
  if (frame.type === 'pong' || frame.type === 'missed') return frame.type
  if (frame.type === 'new-build') return `new-build:${frame.buildId}`
  return `topic:${JSON.stringify(frame.event)}`
}

export function readServerFrame(text: string): ServerFrame | null {
  if (text === 'pong' || text === 'missed') return { type: text }
  const [name, rest] = cut(text)
  if (name === 'new-build') return { type: 'new-build', buildId: rest }
  if (name !== 'topic') return null
  const event = parseJson(rest) as Partial<TopicEvent> | null
  if (typeof event?.topic !== 'string' || typeof event.type !== 'string') return null
  return { type: 'event', event: { topic: event.topic, type: event.type, data: event.data } }
}

/** What happened to an item of a list: `changed` or `removed`, with its id. Null for other events. */
export function readItemEvent({ type, data }: TopicEvent): { type: 'changed' | 'removed'; id: string } | null {
  if (type !== 'changed' && type !== 'removed') return null
  const id = (data as { id?: unknown } | null)?.id
  return typeof id === 'string' ? { type, id } : null
}

function cut(text: string): [name: string, rest: string] {
  const colon = text.indexOf(':')
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
