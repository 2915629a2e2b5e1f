import { expect, test } from 'vitest'
import { readClientFrame, readServerFrame, writeClientFrame, writeServerFrame } from './realtime.ts'

test("the client's frames are those of the specification (S9.22)", () => {
  expect(writeClientFrame({ type: 'heartbeat', buildId: 'abc' })).toBe('client-build:abc')
  expect(writeClientFrame({ type: 'subscribe', topic: 'thread:1' })).toBe('subscribe:thread:1')
  expect(writeClientFrame({ type: 'unsubscribe', topic: 'profile' })).toBe('unsubscribe:profile')
})

test("the server's frames are those of the specification (S9.22)", () => {
  expect(writeServerFrame({ type: 'pong' })).toBe('pong')
  expect(writeServerFrame({ type: 'new-build', buildId: 'def' })).toBe('new-build:def')
  const event = { topic: 'profile', type: 'changed', data: { n: 1 } }
  expect(writeServerFrame({ type: 'event', event })).toBe('topic:{"topic":"profile","type":"changed","data":{"n":1}}')
})

test('frames written by either side are read by the other', () => {
  for (const frame of [
    { type: 'heartbeat', buildId: 'a:b' },
    { type: 'subscribe', topic: 'thread:0192-a' },
    { type: 'unsubscribe', topic: 'threads' },
    { type: 'since', mark: 'process.0.12' },
  ] as const) {
    expect(readClientFrame(writeClientFrame(frame))).toEqual(frame)
  }
  for (const frame of [
    { type: 'pong' },
    { type: 'missed' },
    { type: 'new-build', buildId: 'a' },
    { type: 'event', event: { topic: 'profile', type: 'changed', data: null } },
  ] as const) {
    expect(readServerFrame(writeServerFrame(frame))).toEqual(frame)
  }
})

test.each([
  '',
  'hello',
  'subscribe:',
  'subscribe:users',
  'subscribe:thread:',
  `client-build:${'x'.repeat(101)}`,
  `since:${'x'.repeat(101)}`,
  'topic:{}',
])('an unknown frame %j is rejected', (text) => {
  expect(readClientFrame(text)).toBeNull()
})

test.each(['', 'topic:', 'topic:{', 'topic:{"topic":1}', 'unknown'])('a broken server frame %j is rejected', (text) => {
  expect(readServerFrame(text)).toBeNull()
})
