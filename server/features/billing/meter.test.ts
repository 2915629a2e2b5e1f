import { expect, test } from 'vitest'
import {
  AHEAD,
  affordable,
  firstStep,
  type HoldState,
  holdAhead,
  lowerRates,
  MOST_STEPS,
  nextHold,
  STEP,
} from './meter.ts'

const state = (parts: Partial<HoldState> = {}): HoldState => ({
  input: 100,
  rates: { inputRate: 1, outputRate: 2 },
  held: 100 + 2 * STEP,
  output: 0,
  thought: 0,
  isRest: false,
  ...parts,
})

test('the first hold pays for the input and one step of output', () => {
  expect(firstStep(state())).toBe(100 + 2 * STEP)
  expect(affordable({ ...state(), held: firstStep(state()) })).toBe(STEP)
})

test('a hold grows by a step beyond the wanted output, and only when it does not cover that', () => {
  expect(nextHold(state(), STEP)).toBeNull()
  expect(nextHold(state(), STEP + 1)).toBe(100 + 2 * (STEP + 1 + STEP))
})

test('the next step is held in advance when less than half a step is left', () => {
  expect(holdAhead(state({ output: STEP - AHEAD - 1 }))).toBeNull()
  expect(holdAhead(state({ output: STEP - AHEAD }))).toBe(100 + 2 * (STEP - AHEAD + STEP + AHEAD))
})

test('steps in advance grow with the answer, up to four, unless the balance has no larger ones', () => {
  const after = (output: number, more: Partial<HoldState> = {}) => {
    const held = 100 + 2 * output
    return ((holdAhead(state({ output, held, ...more })) ?? 0) - held) / 2 - AHEAD
  }
  expect(after(STEP / 2)).toBe(STEP)
  expect(after(1.5 * STEP)).toBe(3 * STEP)
  expect(after(50 * STEP)).toBe(MOST_STEPS * STEP)
  expect(after(50 * STEP, { isShort: true })).toBe(STEP)
})

test('nothing is held in advance once the balance has no more, or when output is free', () => {
  expect(holdAhead(state({ output: STEP, isRest: true }))).toBeNull()
  expect(holdAhead(state({ output: STEP, rates: { inputRate: 1, outputRate: 0 } }))).toBeNull()
})

test('a hold never pays for more output than its price allows, at any rates', () => {
  for (const outputRate of [0.1, 0.3, 1, 1.7, 25])
    for (let held = 0; held < 200; held += 7) {
      const rates = { inputRate: 0.5, outputRate }
      const covering = state({ rates, held: 100 + held })
      const output = affordable(covering)
      expect(nextHold(covering, output)).toBeNull()
      expect(nextHold(covering, output + 1)).not.toBeNull()
    }
})

test('thought has its own rate, and what it cost is no longer there for the answer', () => {
  const thinking = state({ rates: { inputRate: 1, outputRate: 2, thoughtRate: 0.5 }, thought: 400 })
  expect(affordable(thinking)).toBe(STEP - 100)
  expect(affordable(thinking, 'thought')).toBe(4 * STEP - 400)
  expect(nextHold(thinking, STEP, 'thought')).toBeNull()
  expect(nextHold(thinking, 4 * STEP, 'thought')).toBe(100 + 0.5 * (400 + 5 * STEP))
})

test('thought inside the price needs no hold', () => {
  expect(affordable(state(), 'thought')).toBe(Number.MAX_SAFE_INTEGER)
  expect(holdAhead(state({ thought: 50 * STEP }), 'thought')).toBeNull()
  expect(nextHold(state(), 50 * STEP, 'thought')).toBeNull()
})

test('the price of a search is held beside everything else, at any rates and sizes', () => {
  const rates = { inputRate: 1, outputRate: 2, searchPrice: 1500 }
  expect(firstStep(state({ rates }))).toBe(100 + 2 * STEP + 1500)
  expect(affordable(state({ rates, held: 1600 }))).toBe(0)
  for (const outputRate of [0.1, 0.3, 1, 1.7, 25])
    for (let held = 0; held < 200; held += 7) {
      const covering = state({ rates: { inputRate: 0.5, outputRate, searchPrice: 1500 }, held: 1600 + held })
      const output = affordable(covering)
      expect(nextHold(covering, output)).toBeNull()
      expect(nextHold(covering, output + 1)).not.toBeNull()
    }
})

test('a fallback model keeps the price of the search', () => {
  const lowered = lowerRates({ inputRate: 2, outputRate: 2, searchPrice: 1500 }, { inputRate: 1, outputRate: 3 })
  expect(lowered).toMatchObject({ inputRate: 1, outputRate: 2, searchPrice: 1500 })
})
