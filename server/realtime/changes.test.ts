import { expect, test } from 'vitest'
import { createChanges } from './changes.ts'

const steady = { outages: () => 0 }
const marked = (changes: ReturnType<typeof createChanges>) => changes.mark() ?? ''

test('a mark is current until its own user has a change (S10.492)', () => {
  const changes = createChanges(steady)
  changes.note('anna')
  const mark = marked(changes)
  expect(changes.isCurrent('anna', mark)).toBe(true)
  changes.note('boris')
  expect([changes.isCurrent('anna', mark), changes.isCurrent('boris', mark)]).toEqual([true, false])
  changes.note('anna')
  expect([changes.isCurrent('anna', mark), changes.isCurrent('anna', marked(changes))]).toEqual([false, true])
})

test('marks from other processes, invented marks and future marks are outdated (S10.492)', () => {
  const changes = createChanges(steady)
  const mark = marked(changes)
  const [own] = mark.split('.')
  for (const other of [marked(createChanges(steady)), '', 'x', `${own}.0`, `${own}.0.x`, `${own}.0.1`, `${own}.0.-1`])
    expect(changes.isCurrent('anna', other), other).toBe(false)
})

test('there is no mark while events are missed, and older marks expire (S10.492)', () => {
  let outages: number | null = 0
  const changes = createChanges({ outages: () => outages })
  const before = marked(changes)
  outages = null
  expect([changes.mark(), changes.isCurrent('anna', before)]).toEqual([null, false])
  outages = 1
  expect([changes.isCurrent('anna', before), changes.isCurrent('anna', marked(changes))]).toEqual([false, true])
})

test('marks older than the remembered changes are outdated (S10.492)', () => {
  const changes = createChanges(steady, 3)
  const marks = [marked(changes)]
  for (const user of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    changes.note(user)
    marks.push(marked(changes))
  }
  expect(marks.map((mark) => changes.isCurrent('anna', mark))).toEqual([false, false, false, ...Array(5).fill(true)])
  expect(marks.slice(3).map((mark) => changes.isCurrent('d', mark))).toEqual([false, true, true, true, true])
})
