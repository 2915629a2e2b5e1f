import { expect, test } from 'vitest'
import { type BalanceNotice, decideNotice, type Said } from './balance-notices.ts'

const calm: Said = { end: false, warning: null }
const left = (availableTokens: number, held = 0) => ({
  availableTokens,
  held,
  capacity: 1000,
  active: availableTokens > 0,
})

/** What is said while the balance takes these values one after another. */
function notices(values: number[], start = calm): BalanceNotice[] {
  let said = start
  return values.map((value) => {
    const decision = decideNotice(said, left(value))
    said = decision.said
    return decision.notice
  })
}

test('the end of the symbols is said once', () => {
  expect(notices([500, 0, 0, 0])).toEqual([null, 'end', null, null])
})

test('closing the notice resets the flag: the next update says it again', () => {
  const { said } = decideNotice(calm, left(0))
  expect(decideNotice({ ...said, end: false }, left(0)).notice).toBe('end')
})

test('with new symbols the end may be said again, and a rise is no descent', () => {
  expect(notices([0, 900, 0])).toEqual(['end', null, 'end'])
  expect(notices([0, 150, 40, 0])).toEqual(['end', null, 0.05, 'end'])
  expect(decideNotice({ end: true, warning: 0.05 }, left(900)).said).toEqual(calm)
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
