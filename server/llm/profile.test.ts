import { expect, test } from 'vitest'
import { usualCountry } from './profile.ts'

test.each([
  [{ kind: 'yandex' as const, baseUrl: 'https://proxy.example.test/v1' }, 'RU'],
  [{ kind: 'gigachat' as const, baseUrl: 'https://proxy.example.test/v1' }, 'RU'],
  [{ kind: 'anthropic' as const, baseUrl: 'https://proxy.example.test/v1' }, 'US'],
  [{ kind: 'gemini' as const, baseUrl: 'https://proxy.example.test/v1' }, 'US'],
  [{ baseUrl: 'https://api.openai.com/v1' }, 'US'],
  [{ baseUrl: 'https://gateway.example.test/v1' }, null],
])('the country of %j is %s unless the owner says otherwise', (keys, country) => {
  expect(usualCountry(keys)).toBe(country)
})
