import { expect, test } from 'vitest'
import { aBranch, aThread } from '../testing/a-message.ts'
import { mergeFresh, prependOlder } from './thread-data.ts'

const whole = aBranch('q1', 'a1', 'q2', 'a2')
const ids = ({ Messages }: { Messages: { id: string }[] }) => Messages.map(({ id }) => id)

test('earlier pages stay when the newest page is read again', () => {
  const before = aThread(whole, 'older')
  const fresh = aThread([...whole.slice(2), ...aBranch('q3')])
  const merged = mergeFresh(before, fresh, 'cursor of the fresh page')
  expect(ids(merged)).toEqual(['q1', 'a1', 'q2', 'a2', 'q3'])
  expect(merged.olderCursor).toBe('older')
})

test('another branch replaces everything after the common part', () => {
  const other = aBranch('q1', 'a9')
  expect(ids(mergeFresh(aThread(whole), aThread(other), null))).toEqual(['q1', 'a9'])
})

test('an unrelated branch replaces the loaded branch with its cursor', () => {
  const far = aBranch('q7', 'a7').map((message, i) => (i === 0 ? { ...message, parentId: 'a6' } : message))
  const merged = mergeFresh(aThread(whole), aThread(far), 'c7')
  expect(ids(merged)).toEqual(['q7', 'a7'])
  expect(merged.olderCursor).toBe('c7')
})

test('an earlier page is added on top', () => {
  const data = prependOlder(aThread(whole.slice(2), 'c1'), whole.slice(0, 2), null)
  expect(ids(data)).toEqual(['q1', 'a1', 'q2', 'a2'])
  expect(data.olderCursor).toBeNull()
})

test('an earlier page of another branch is dropped', () => {
  const shown = aThread(whole.slice(2), 'c1')
  expect(prependOlder(shown, aBranch('q8', 'a8'), null)).toBe(shown)
})

test('a page that arrives twice is added once', () => {
  const once = prependOlder(aThread(whole.slice(2), 'c1'), whole.slice(0, 2), null)
  expect(ids(prependOlder(once, whole.slice(0, 2), null))).toEqual(['q1', 'a1', 'q2', 'a2'])
})
