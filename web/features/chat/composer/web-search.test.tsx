import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { newUserId } from '#web/testing/render.tsx'
import { aModel } from '#web/testing/samples.ts'
import { field, openComposer } from '../testing/open-composer.tsx'
import { priceLine, webPrice } from './price-line.ts'
import { moveChoice, setWantsSearch, wantsSearch } from './web-choice.ts'

const toggle = () => screen.getByRole('button', { name: /^Поиск в интернете/ })
const noToggle = () => screen.queryByRole('button', { name: /^Поиск в интернете/ })
const plain = (text: string) => text.replace(/\s/g, ' ')

test('without a search engine, and for a model that draws, there is no search', () => {
  openComposer()
  expect(noToggle()).toBeNull()
  const drawing = aModel({ id: 'draws', kind: 'image', imagePrice: 100 })
  openComposer({ searchPrice: 1500, chosen: { model: drawing, name: 'Рисует' } })
  expect(noToggle()).toBeNull()
})

test('the search is switched by a key, its price is in the line, and the message asks for it', {
  tags: 'slow',
}, async () => {
  const { user, sent } = openComposer({ searchPrice: 1500 })
  expect(toggle().getAttribute('aria-pressed')).toBe('false')
  expect(plain(toggle().title)).toBe('Поиск в интернете · +1 500 символов')
  await user.type(field(), 'Что нового?{Enter}')
  toggle().focus()
  await user.keyboard(' ')
  expect(toggle().getAttribute('aria-pressed')).toBe('true')
  await user.type(field(), 'Что нового?')
  const line = await screen.findByText(/поиск 1/)
  expect(plain(line.textContent ?? '')).toContain('Вопрос 11 + поиск 1 500 + страницы до 12 000 символов')
  await user.type(field(), '{Enter}')
  expect(sent).toEqual([
    { text: 'Что нового?', files: [] },
    { text: 'Что нового?', files: [], web: true },
  ])
})

test('each chat remembers its choice, and a new chat takes the one it was begun with', () => {
  const userId = newUserId()
  openComposer({ searchPrice: 1500, userId })
  setWantsSearch(userId, 't1', true)
  expect([wantsSearch(userId, 't1'), wantsSearch(userId, 't2'), wantsSearch('другой', 't1')]).toEqual([
    true,
    false,
    false,
  ])
  setWantsSearch(userId, null, true)
  moveChoice(userId, 't3')
  expect([wantsSearch(userId, null), wantsSearch(userId, 't3')]).toEqual([false, true])
  setWantsSearch(userId, 't1', false)
  expect(wantsSearch(userId, 't1')).toBe(false)
})

test('a choice from before the search was switched off is not sent', async () => {
  const userId = newUserId()
  setWantsSearch(userId, 't1', true)
  const { user, sent } = openComposer({ userId })
  await user.type(field(), 'Что нового?{Enter}')
  expect(sent).toEqual([{ text: 'Что нового?', files: [] }])
})

test('links of the draft can be read, and only those that are still in it are', { tags: 'slow' }, async () => {
  const { user, sent } = openComposer()
  await user.type(field(), 'О чём https://www.site.example/page и https://other.example/?')
  const read = screen.getByRole('button', { name: 'Прочитать страницу site.example/page' })
  expect(read.getAttribute('aria-pressed')).toBe('false')
  await user.click(read)
  expect(read.getAttribute('aria-pressed')).toBe('true')
  expect(await screen.findByText(/страницы до/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Прочитать страницу other.example' }))
  await user.clear(field())
  expect(screen.queryByRole('button', { name: /Прочитать/ })).toBeNull()
  await user.type(field(), 'О чём https://www.site.example/page{Enter}')
  await user.type(field(), 'Ещё раз https://www.site.example/page{Enter}')
  expect(sent.map(({ pages }) => pages)).toEqual([['https://www.site.example/page'], undefined])
})

const context = {
  ...{ symbols: 100, personal: 0, least: 101, hasHistory: false, added: null, thought: null, isPicture: false },
  balance: { availableTokens: 50_000, dailyCap: null, spentToday: 0 },
}

test('the price names search and pages apart, and says when the search alone is too much', () => {
  const usual = { low: 300, high: 900 }
  expect(plain(webPrice({ search: 0, pages: 24_000 }))).toBe('страницы до 24 000 символов')
  expect(plain(priceLine({ ...context, usual, web: { search: 1500, pages: 12_000 } }).text)).toBe(
    'Вопрос 100 + поиск 1 500 + страницы до 12 000 символов + ответ обычно 300–900',
  )
  const balance = { ...context.balance, availableTokens: 1000 }
  const poor = priceLine({ ...context, balance, usual, web: { search: 1500, pages: 12_000 } })
  expect(poor.short).toBe('top-up')
})
