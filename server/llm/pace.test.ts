import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paceMs, readInPieces } from './pace.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] }))
afterEach(() => void vi.useRealTimers())

function startResponse() {
  const socket = Object.assign(new EventEmitter(), { isPaused: false, destroyed: false })
  const set = (isPaused: boolean) => () => Object.assign(socket, { isPaused })
  Object.assign(socket, { pause: set(true), resume: set(false) })
  const response = Object.assign(new EventEmitter(), { complete: false, socket })
  const pieces: string[] = []
  const takeLast = readInPieces(response as unknown as IncomingMessage, (bytes) => pieces.push(bytes.toString()))
  const send = (text: string) => response.emit('data', Buffer.from(text))
  return { socket, response, pieces, takeLast, send }
}

test('more simultaneous answers mean fewer pieces, at least ten per second (S10.460)', () => {
  expect([0, 20, 50, 100, 5000].map(paceMs)).toEqual([50, 60, 75, 100, 100])
})

test('first words are read as they come, the rest in pieces (S10.901)', () => {
  const { socket, pieces, send } = startResponse()
  for (const letter of 'абвгдежз') send(letter)
  expect(pieces.join()).toBe('а,б,в,г,д,е,ж,з')
  expect(socket.isPaused).toBe(false)
  for (const next of ['и', 'к']) {
    send(next)
    send('…')
    vi.advanceTimersByTime(0)
    expect(pieces.at(-1)).toBe(`${next}…`)
    expect(socket.isPaused).toBe(true)
    vi.advanceTimersByTime(60)
    expect(socket.isPaused).toBe(false)
  }
})

test('the end takes all and leaves its connection open (S10.901)', () => {
  const { socket, response, pieces, takeLast, send } = startResponse()
  for (const letter of 'абвгдежзик') send(letter)
  response.complete = true
  takeLast()
  expect(pieces.at(-1)).toBe('ик')
  vi.advanceTimersByTime(60)
  expect(pieces).toHaveLength(9)
  expect(socket.isPaused).toBe(false)
})
