import { expect, test } from 'vitest'
import { createServiceState } from './service-state.ts'

function aState() {
  let now = 0
  const lines: string[] = []
  const write = (_facts: unknown, text: unknown) => void lines.push(String(text))
  const log = { info: write, warn: write } as never
  const state = createServiceState('storage', log, () => now)
  const pass = (ms: number) => {
    now += ms
  }
  return { state, lines, pass }
}

test('a failed call counts until the same call succeeds (S10.273)', () => {
  const { state } = aState()
  expect(state.isUp()).toBe(true)
  state.note('put', false)
  state.note('owner', true)
  expect(state.isUp()).toBe(false)
  state.note('put', true)
  expect(state.isUp()).toBe(true)
})

test('a failure that is not repeated is forgotten after five minutes', () => {
  const { state, pass } = aState()
  state.note('put', false)
  pass(299_000)
  expect(state.isUp()).toBe(false)
  pass(2000)
  expect(state.isUp()).toBe(true)
})

test('an outage is logged at its beginning and at its end (S10.273)', () => {
  const { state, lines, pass } = aState()
  state.note('owner', false)
  pass(30_000)
  state.note('owner', false)
  state.note('put', false)
  state.note('owner', true)
  state.note('put', true)
  state.note('owner', true)
  expect(lines).toEqual(['storage: does not work', 'storage: works again'])
})
