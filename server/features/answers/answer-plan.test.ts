import { expect, test } from 'vitest'
import { createProviders } from '#server/llm/providers.ts'
import type { ModelRow } from '../models/models.ts'
import { type TextPlan, withFallback, withFindings } from './answer-plan.ts'
import { openMasking } from './masking.ts'
import { composePrompt } from './prompt.ts'

const providers = createProviders([])
const question = { role: 'user' as const, content: 'Где кофе?', documents: [], images: [], imageSymbols: 0 }
const promptParams = {
  ...{ history: [], question, begun: '', instructions: '', personal: '', passages: [] },
  ...{ contextSymbols: null, maxOutputSymbols: null },
}
const prompt = composePrompt(promptParams)
const rates = { inputRate: 1, outputRate: 4, thoughtRate: 2, cachedRate: null }
const plan: TextPlan = Object.freeze({
  model: { id: 'dear', ...rates } as ModelRow,
  fallback: { id: 'cheap' } as ModelRow,
  run: Object.freeze({ hold: 'h', offset: 0, input: prompt.input, ...rates, note: 'Временный чат' }),
  prompt,
  masking: openMasking(providers, null, prompt.messages),
  maskingSettings: null,
  thinking: undefined,
  thoughtTokens: 0,
  search: null,
  web: { options: { search: true, pages: [] }, promptParams },
})
const page = { url: 'https://a.example', site: 'a.example', title: 'Кофе', date: null, text: 'На углу.' }

test('a fallback model answers at the lower of both rates', () => {
  const next = withFallback(plan, { id: 'cheap', inputRate: 2, outputRate: 1, thoughtRate: 0 } as ModelRow)
  expect(next).toMatchObject({ model: { id: 'cheap' }, fallback: null, run: { inputRate: 1, outputRate: 1 } })
  expect(next.run).toMatchObject({ hold: 'h', input: plan.run.input, thoughtRate: 0 })
})

test('found pages become part of the prompt, its size and the price', () => {
  if (!plan.web) throw new Error('no web')
  const { plan: next, ...found } = withFindings(providers, plan, plan.web, { passages: [page], found: 1 }, 500)
  expect(found).toMatchObject({ hasFound: true, searchPrice: 500, passages: [{ n: 1, url: page.url }] })
  expect(next.prompt.messages.at(-1)?.content).toContain('На углу.')
  expect(next.run).toMatchObject({ input: next.prompt.input, searchPrice: 500 })
  expect(next.run.note).toMatch(/^Временный чат\. С поиском в интернете/)
  expect(next.run.input).toBeGreaterThan(plan.run.input)
  expect(next.web).toBeNull()
})

test('a search without findings is free', () => {
  if (!plan.web) throw new Error('no web')
  const { plan: next, ...found } = withFindings(providers, plan, plan.web, { passages: [], found: 0 }, 500)
  expect(found).toEqual({ hasFound: false, searchPrice: 0, passages: [] })
  expect(next.run).toEqual(plan.run)
})
