import { expect, test } from 'vitest'
import { type BalanceNotice, decideNotice, type ShownNotices } from './balance-notices.ts'

const calm: ShownNotices = { end: false, warning: null }
const left = (availableTokens: number, held = 0) => ({
  availableTokens,
  held,
  capacity: 1000,
  active: availableTokens > 0,
})

/** The notices while the balance takes these values one after another. */
function notices(values: number[], start = calm): BalanceNotice[] {
  let shown = start
  return values.map((value) => {
    const decision = decideNotice(shown, left(value))
    shown = decision.shown
    return decision.notice
  })
}

test('the notice about the end of the symbols is shown once', () => {
  expect(notices([500, 0, 0, 0])).toEqual([null, 'end', null, null])
})

test('closing the notice resets the flag: the next update shows it again', () => {
  const { shown } = decideNotice(calm, left(0))
  expect(decideNotice({ ...shown, end: false }, left(0)).notice).toBe('end')
})

test('new symbols allow the end notice again, and a rising balance gives no warning', () => {
  expect(notices([0, 900, 0])).toEqual(['end', null, 'end'])
  expect(notices([0, 150, 40, 0])).toEqual(['end', null, 0.05, 'end'])
  expect(decideNotice({ end: true, warning: 0.05 }, left(900)).shown).toEqual(calm)
})

test('while an answer holds the rest, nothing has ended yet', () => {
  expect(decideNotice(calm, left(0, 300)).notice).toBeNull()
  expect(decideNotice(calm, left(0, 0)).notice).toBe('end')
})

test('a fifth and a twentieth are each warned of once on the way down', () => {
  expect(notices([300, 199, 150, 49, 30])).toEqual([null, 0.2, null, 0.05, null])
})

test('a fall through both says only the deeper one', () => {
  expect(notices([300, 10])).toEqual([null, 0.05])
})

test('a new descent is warned of anew', () => {
  expect(notices([199, 500, 199])).toEqual([0.2, null, 0.2])
  expect(notices([49, 150, 49])).toEqual([0.05, null, 0.05])
})

test('a warning of an earlier visit is not repeated', () => {
  expect(notices([150, 49], { end: false, warning: 0.2 })).toEqual([null, 0.05])
})
