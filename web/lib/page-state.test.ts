import { expect, test } from 'vitest'
import { readPageState } from './page-state.ts'

const written = {
  config: {
    appName: 'Символ',
    buildId: 'b1',
    socialProviders: [],
    supportUrl: null,
    mailboxUrl: null,
    openHelp: [],
    analytics: { url: null, yandexMetrikaId: null },
  },
  user: null,
}

test('the state the server wrote into the page is read', () => {
  expect(readPageState(JSON.stringify(written))).toEqual(written)
})

test('a placeholder, an empty page and another format are not a state', () => {
  expect(readPageState('<!--page-state-->')).toBeNull()
  expect(readPageState(undefined)).toBeNull()
  expect(readPageState('{"user":null}')).toBeNull()
})

test('reading the configuration too early is an error', async () => {
  // An instance of its own: other files of this process may have set a state.
  const early = './page-state.ts?early'
  const { pageConfig } = (await import(early)) as typeof import('./page-state.ts')
  expect(() => pageConfig()).toThrow('ещё не загружено')
})
