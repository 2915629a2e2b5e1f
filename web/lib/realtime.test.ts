import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SESSION_ENDED, writeServerFrame } from '#contract/realtime.ts'
import { openRealtime, subscribe } from './realtime.ts'
import { reconnectDelay } from './reconnect-delay.ts'

class FakeSocket {
  static all: FakeSocket[] = []
  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1)
    if (!last) throw new Error('no socket was opened')
    return last
  }

  readyState = 0
  sent: string[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null

  constructor() {
    FakeSocket.all.push(this)
  }
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    this.readyState = 3
  }
  accept() {
    this.readyState = 1
    this.onopen?.()
  }
  say(text: string) {
    this.onmessage?.({ data: text })
  }
  break(code = 1006) {
    this.readyState = 3
    this.onclose?.({ code })
  }
}

const page = new EventTarget()
const onNewBuild = vi.fn()
const onSessionEnded = vi.fn()
let close: () => void = () => undefined

function open(firstCatchUp?: { after: number; mark: string | null }) {
  close = openRealtime({
    buildId: 'b1',
    onNewBuild,
    onSessionEnded,
    ...(firstCatchUp && { firstCatchUp: () => firstCatchUp }),
    connect: () => new FakeSocket() as unknown as WebSocket,
  })
  FakeSocket.last.accept()
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  FakeSocket.all = []
})

afterEach(() => {
  close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

test('subscribing before the socket opens is a Russian error (S8.11)', () => {
  expect(() => subscribe('profile', () => undefined)).toThrow('Соединение ещё не открыто')
})

test('a heartbeat is sent at once and every five seconds (S9.22)', () => {
  open()
  expect(FakeSocket.last.sent).toEqual(['client-build:b1'])
  FakeSocket.last.say('pong')
  vi.advanceTimersByTime(5000)
  expect(FakeSocket.last.sent).toEqual(['client-build:b1', 'client-build:b1'])
})

test('events of a topic reach its listeners until the last leaves (S9.22)', () => {
  open()
  const first = vi.fn()
  const second = vi.fn()
  const leaveFirst = subscribe('profile', first)
  const leaveSecond = subscribe('profile', second)
  const event = { topic: 'profile', type: 'changed', data: { a: 1 } }
  FakeSocket.last.say(writeServerFrame({ type: 'event', event }))
  leaveFirst()
  FakeSocket.last.say(writeServerFrame({ type: 'event', event }))
  leaveSecond()

  expect(first).toHaveBeenCalledExactlyOnceWith(event)
  expect(second).toHaveBeenCalledTimes(2)
  expect(FakeSocket.last.sent.slice(1)).toEqual(['subscribe:profile', 'unsubscribe:profile'])
})

test('data from the page is read again once, a little later', () => {
  const resumedAfter = (delay: number | null) => {
    const listener = vi.fn()
    open(delay === null ? undefined : { after: delay, mark: null })
    subscribe('threads', listener)
    const atOnce = listener.mock.calls.length
    vi.advanceTimersByTime(2001)
    close()
    return [atOnce, listener.mock.calls.length]
  }
  expect(resumedAfter(2000)).toEqual([0, 1])
  expect(resumedAfter(null)).toEqual([0, 0])
})

test('with a mark data is read again only after missed events (S10.492)', () => {
  const listener = vi.fn()
  open({ after: 2000, mark: 'process.0.7' })
  subscribe('threads', listener)
  vi.advanceTimersByTime(2001)
  expect(FakeSocket.last.sent.at(-1)).toBe('since:process.0.7')
  vi.advanceTimersByTime(2000)
  expect(listener).not.toHaveBeenCalled()
  FakeSocket.last.say('missed')
  vi.advanceTimersByTime(0)
  expect(listener).toHaveBeenCalledExactlyOnceWith({ topic: 'threads', type: 'resumed', data: null })
})

test('a connection lost before the response counts as missed events (S10.492)', () => {
  const listener = vi.fn()
  open({ after: 2000, mark: 'process.0.7' })
  subscribe('threads', listener)
  vi.advanceTimersByTime(2001)
  FakeSocket.last.break()
  vi.advanceTimersByTime(1000)
  FakeSocket.last.accept()
  vi.advanceTimersByTime(0)
  expect(listener).toHaveBeenCalledOnce()
})

test('a page that was closed before reads nothing again', () => {
  const listener = vi.fn()
  open({ after: 2000, mark: null })
  subscribe('threads', listener)
  close()
  vi.advanceTimersByTime(3000)
  expect(listener).not.toHaveBeenCalled()
})

test('a new build is announced (S4.10)', () => {
  open()
  FakeSocket.last.say('new-build:b2')
  expect(onNewBuild).toHaveBeenCalledWith('b2')
})

test('a broken connection returns after a second with its topics (S9.22)', () => {
  open()
  const listener = vi.fn()
  subscribe('threads', listener)
  FakeSocket.last.break()
  vi.advanceTimersByTime(999)
  expect(FakeSocket.all).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(FakeSocket.all).toHaveLength(2)

  FakeSocket.last.accept()
  expect(FakeSocket.last.sent).toEqual(['client-build:b1', 'subscribe:threads'])
  vi.advanceTimersByTime(0)
  expect(listener).toHaveBeenCalledExactlyOnceWith({ topic: 'threads', type: 'resumed', data: null })
})

test('the pauses grow with jitter up to half a minute (S9.22)', () => {
  expect([0, 1, 2, 3, 10].map((attempt) => reconnectDelay(attempt, () => 1))).toEqual([1000, 2000, 4000, 8000, 30_000])
  expect([0, 1, 10].map((attempt) => reconnectDelay(attempt, () => 0))).toEqual([1000, 1000, 15_000])
})

test('going online ends the pause (S9.22)', () => {
  open()
  FakeSocket.last.break()
  page.dispatchEvent(new Event('online'))
  expect(FakeSocket.all).toHaveLength(2)
  vi.advanceTimersByTime(60_000)
  expect(FakeSocket.all).toHaveLength(2)
})

test('a connection without answers is closed', () => {
  open()
  vi.advanceTimersByTime(5000 * 3)
  expect(FakeSocket.last.readyState).toBe(3)
  vi.advanceTimersByTime(1000)
  expect(FakeSocket.all).toHaveLength(2)
})

test('the page asks who is signed in when the session has ended', () => {
  open()
  FakeSocket.last.break(SESSION_ENDED)
  expect(onSessionEnded).toHaveBeenCalledOnce()
})

test('a closed socket stays closed', () => {
  open()
  close()
  page.dispatchEvent(new Event('online'))
  vi.advanceTimersByTime(60_000)
  expect(FakeSocket.all).toHaveLength(1)
  expect(() => subscribe('profile', () => undefined)).toThrow('Соединение ещё не открыто')
})
