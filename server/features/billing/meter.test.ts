import { expect, test } from 'vitest'
import {
  affordableSymbols,
  firstStep,
  HOLD_STEP,
  type HoldState,
  holdAhead,
  lowerRates,
  MAX_HOLD_STEPS,
  MIN_HELD_AHEAD,
  nextHold,
} from './meter.ts'

const state = (parts: Partial<HoldState> = {}): HoldState => ({
  input: 100,
  rates: { inputRate: 1, outputRate: 2 },
  held: 100 + 2 * HOLD_STEP,
  output: 0,
  thought: 0,
  takesAll: false,
  ...parts,
})

test('the first hold pays for the input and a step of output', () => {
  expect(firstStep(state())).toBe(100 + 2 * HOLD_STEP)
  expect(affordableSymbols({ ...state(), held: firstStep(state()) })).toBe(HOLD_STEP)
})

test('a hold grows a step beyond the wanted output, only when needed', () => {
  expect(nextHold(state(), HOLD_STEP)).toBeNull()
  expect(nextHold(state(), HOLD_STEP + 1)).toBe(100 + 2 * (HOLD_STEP + 1 + HOLD_STEP))
})

test('the next step is held early when under half a step remains', () => {
  expect(holdAhead(state({ output: HOLD_STEP - MIN_HELD_AHEAD - 1 }))).toBeNull()
  expect(holdAhead(state({ output: HOLD_STEP - MIN_HELD_AHEAD }))).toBe(
    100 + 2 * (HOLD_STEP - MIN_HELD_AHEAD + HOLD_STEP + MIN_HELD_AHEAD),
  )
})

test('early steps grow with the answer, up to four, within the balance (S10.414)', () => {
  const after = (output: number, more: Partial<HoldState> = {}) => {
    const held = 100 + 2 * output
    return ((holdAhead(state({ output, held, ...more })) ?? 0) - held) / 2 - MIN_HELD_AHEAD
  }
  expect(after(HOLD_STEP / 2)).toBe(HOLD_STEP)
  expect(after(1.5 * HOLD_STEP)).toBe(3 * HOLD_STEP)
  expect(after(50 * HOLD_STEP)).toBe(MAX_HOLD_STEPS * HOLD_STEP)
  expect(after(50 * HOLD_STEP, { isShort: true })).toBe(HOLD_STEP)
})

test('nothing is held early without a balance or for free output', () => {
  expect(holdAhead(state({ output: HOLD_STEP, takesAll: true }))).toBeNull()
  expect(holdAhead(state({ output: HOLD_STEP, rates: { inputRate: 1, outputRate: 0 } }))).toBeNull()
})

test('a hold never pays for more output than its price allows', () => {
  for (const outputRate of [0.1, 0.3, 1, 1.7, 25])
    for (let held = 0; held < 200; held += 7) {
      const rates = { inputRate: 0.5, outputRate }
      const covering = state({ rates, held: 100 + held })
      const output = affordableSymbols(covering)
      expect(nextHold(covering, output)).toBeNull()
      expect(nextHold(covering, output + 1)).not.toBeNull()
    }
})

test('thought has its own rate and reduces what the answer can use', () => {
  const thinking = state({ rates: { inputRate: 1, outputRate: 2, thoughtRate: 0.5 }, thought: 400 })
  expect(affordableSymbols(thinking)).toBe(HOLD_STEP - 100)
  expect(affordableSymbols(thinking, 'thought')).toBe(4 * HOLD_STEP - 400)
  expect(nextHold(thinking, HOLD_STEP, 'thought')).toBeNull()
  expect(nextHold(thinking, 4 * HOLD_STEP, 'thought')).toBe(100 + 0.5 * (400 + 5 * HOLD_STEP))
})

test('thought inside the price needs no hold', () => {
  expect(affordableSymbols(state(), 'thought')).toBe(Number.MAX_SAFE_INTEGER)
  expect(holdAhead(state({ thought: 50 * HOLD_STEP }), 'thought')).toBeNull()
  expect(nextHold(state(), 50 * HOLD_STEP, 'thought')).toBeNull()
})

test('the price of a search is held in addition, at any rates (S10.317)', () => {
  const rates = { inputRate: 1, outputRate: 2, searchPrice: 1500 }
  expect(firstStep(state({ rates }))).toBe(100 + 2 * HOLD_STEP + 1500)
  expect(affordableSymbols(state({ rates, held: 1600 }))).toBe(0)
  for (const outputRate of [0.1, 0.3, 1, 1.7, 25])
    for (let held = 0; held < 200; held += 7) {
      const covering = state({ rates: { inputRate: 0.5, outputRate, searchPrice: 1500 }, held: 1600 + held })
      const output = affordableSymbols(covering)
      expect(nextHold(covering, output)).toBeNull()
      expect(nextHold(covering, output + 1)).not.toBeNull()
    }
})

test('a fallback model keeps the price of the search', () => {
  const lowered = lowerRates({ inputRate: 2, outputRate: 2, searchPrice: 1500 }, { inputRate: 1, outputRate: 3 })
  expect(lowered).toMatchObject({ inputRate: 1, outputRate: 2, searchPrice: 1500 })
})
