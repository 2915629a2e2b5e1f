import { expect, test } from 'vitest'
import { findOptions } from './combo-field.tsx'

const options = ['openai/gpt-4.1-mini', 'anthropic/claude-haiku', 'gpt-4.1', 'gpt-4.1-mini'].map((value) => ({ value }))
const found = (query: string) => findOptions(options, query).map(({ value }) => value)

test('every word of the query must match, in any order', () => {
  expect(found('mini gpt')).toEqual(['openai/gpt-4.1-mini', 'gpt-4.1-mini'])
  expect(found('claude gpt')).toEqual([])
})

test('options that start with the query come first', () => {
  expect(found('GPT-4.1')).toEqual(['gpt-4.1', 'gpt-4.1-mini', 'openai/gpt-4.1-mini'])
})

test('an empty query finds everything', () => {
  expect(found(' ')).toHaveLength(4)
})
