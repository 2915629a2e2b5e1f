import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { newUserId } from '#web/testing/render.tsx'
import { aModel } from '#web/testing/samples.ts'
import { field, openComposer } from '../testing/open-composer.tsx'
import { priceLine, webText } from './price-line.ts'
import { afterSending, chooseWeb, searchOff, webChoice } from './web-choice.ts'

const toggle = () => screen.getByRole('button', { name: /^Поиск в интернете/ })
const noToggle = () => screen.queryByRole('button', { name: /^Поиск в интернете/ })
const plain = (text: string) => text.replace(/\s/g, ' ')

test('drawing models and servers without an engine have no search', () => {
  openComposer()
  expect(noToggle()).toBeNull()
  const drawing = aModel({ id: 'draws', kind: 'image', imagePrice: 100 })
  openComposer({ searchPrice: 1500, chosen: { model: drawing, name: 'Рисует' } })
  expect(noToggle()).toBeNull()
})

test('the search shows its price and is off after the question (S10.323, S10.630)', async () => {
  const { user, sent } = openComposer({ searchPrice: 1500, balance: 100_000 })
  expect(toggle().getAttribute('aria-pressed')).toBe('false')
  expect(plain(toggle().textContent ?? '')).toBe('Поиск в интернете · до 5 500')
  toggle().focus()
  await user.keyboard(' ')
  expect(toggle().getAttribute('aria-pressed')).toBe('true')
  await user.type(field(), 'Что нового?')
  const line = await screen.findByTitle(/поиск 1/)
  expect(plain(line.title)).toBe('Вопрос 11, поиск 1 500, страницы до 4 000, ответ обычно до 3 200')
  await user.type(field(), '{Enter}')
  expect(toggle().getAttribute('aria-pressed')).toBe('false')
  await user.type(field(), 'А ещё?{Enter}')
  expect(sent).toEqual([
    { text: 'Что нового?', files: [], web: true },
    { text: 'А ещё?', files: [] },
  ])
})

test('the menu has the detailed search with its price and a pin (S10.632)', async () => {
  const { user, sent } = openComposer({ searchPrice: 1500, balance: 100_000 })
  await user.click(screen.getByRole('button', { name: 'Какой поиск' }))
  const options = await screen.findAllByRole('menuitemradio')
  expect(options.map(({ textContent }) => plain(textContent ?? ''))).toEqual([
    'Без поиска',
    'Обычный, до 3 страницдо 5 500',
    'Подробный, до 6 страницдо 13 500',
  ])
  await user.click(options[2] as HTMLElement)
  await user.click(screen.getByRole('menuitemcheckbox', { name: /^Закрепить/ }))
  await user.keyboard('{Escape}')
  const detailed = () => screen.getByRole('button', { name: /^Подробный поиск в интернете · до 13\s500, закр/ })
  expect(detailed().getAttribute('aria-pressed')).toBe('true')
  await user.type(field(), 'Что нового?{Enter}')
  await user.type(field(), 'А ещё?{Enter}')
  expect(sent.map(({ web }) => web)).toEqual(['detailed', 'detailed'])
  await user.click(detailed())
  expect(toggle().getAttribute('aria-pressed')).toBe('false')
})

test('on a phone «+» has all choices, and chips show them (S10.635)', async () => {
  const thinker = aModel({ thinks: true, thoughtRate: 0.5, name: 'Думающая' })
  const temporary = { isOn: false, onChange: vi.fn() }
  const chosen = { model: thinker, name: thinker.name }
  const { user, sent } = openComposer({ searchPrice: 1500, chosen, temporary, balance: 100_000 })
  await user.click(screen.getByRole('button', { name: 'Добавить к вопросу' }))
  await screen.findByRole('menu')
  const items = [...document.querySelectorAll('[role^="menuitem"]')]
  const names = items.map(({ textContent }) => plain(textContent ?? ''))
  expect(names).toEqual([
    ...[
      'Приложить файлцена по тексту',
      'Без поиска',
      'Обычный, до 3 страницдо 5 500',
      'Подробный, до 6 страницдо 13 500',
    ],
    ...['Закрепить: не выключать после ответа', 'Обычнообычно до 1 000', 'Подуматьобычно до 3 000'],
    ...['Подумать дольшеобычно до 10 000', 'Временный чат'],
  ])
  await user.click(screen.getByRole('menuitemradio', { name: /^Обычный/ }))
  await user.click(screen.getByRole('menuitemradio', { name: /^Подумать дольше/ }))
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Временный чат' }))
  expect(temporary.onChange).toHaveBeenCalledWith(true)
  await user.keyboard('{Escape}')
  const chips = within(screen.getByRole('list', { name: 'Выбрано для вопроса' }))
  expect(chips.getAllByRole('button').map(({ textContent }) => plain(textContent ?? ''))).toEqual([
    'Поиск · до 5 500',
    'Подумать дольше · до 10 000',
  ])
  await user.click(chips.getByRole('button', { name: /^Убрать: Поиск/ }))
  await user.type(field(), 'Что нового?{Enter}')
  expect(sent).toEqual([{ text: 'Что нового?', files: [], thinking: 'most' }])
})

test('each chat has its own choice, a new chat the pinned choice (S10.323, S10.632)', () => {
  const userId = newUserId()
  openComposer({ searchPrice: 1500, userId })
  const pinned = { search: 'detailed', isPinned: true } as const
  const once = { search: true, isPinned: false } as const
  chooseWeb(userId, 't1', pinned)
  expect([webChoice(userId, 't1'), webChoice(userId, 't2'), webChoice('другой', 't1')]).toEqual([
    pinned,
    searchOff,
    searchOff,
  ])
  chooseWeb(userId, null, pinned)
  afterSending(userId, null, 't3')
  expect([webChoice(userId, null), webChoice(userId, 't3')]).toEqual([searchOff, pinned])
  chooseWeb(userId, null, once)
  afterSending(userId, null, 't4')
  expect([webChoice(userId, null), webChoice(userId, 't4')]).toEqual([searchOff, searchOff])
  // Earlier releases stored a list of the chats in which it stayed on.
  localStorage.setItem(`web-search:${userId}`, '["t1"]')
  expect(webChoice(userId, 't1')).toEqual(searchOff)
})

test('a stored choice is not sent when the search is switched off', async () => {
  const userId = newUserId()
  chooseWeb(userId, 't1', { search: true, isPinned: true })
  const { user, sent } = openComposer({ userId })
  await user.type(field(), 'Что нового?{Enter}')
  expect(sent).toEqual([{ text: 'Что нового?', files: [] }])
})

test('only links that are still in the draft are read (S10.323, S10.630)', async () => {
  const { user, sent } = openComposer({ balance: 100_000 })
  await user.type(field(), 'О чём https://www.site.example/page и https://other.example/?')
  const read = screen.getByRole('button', { name: /^Прочитать страницу site.example\/page\s?· до 12\s000$/ })
  expect(read.getAttribute('aria-pressed')).toBe('false')
  await user.click(read)
  expect(read.getAttribute('aria-pressed')).toBe('true')
  expect(await screen.findByTitle(/страницы до/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Прочитать страницу other.example\s?· в те же 12\s000$/ }))
  await user.clear(field())
  expect(screen.queryByRole('button', { name: /Прочитать/ })).toBeNull()
  await user.type(field(), 'О чём https://www.site.example/page{Enter}')
  await user.type(field(), 'Ещё раз https://www.site.example/page{Enter}')
  expect(sent.map(({ pages }) => pages)).toEqual([['https://www.site.example/page'], undefined])
})

const context = {
  ...{
    symbols: 100,
    personal: 0,
    files: 0,
    least: 101,
    hasHistory: false,
    added: null,
    thought: null,
    isImage: false,
  },
  balance: { availableTokens: 50_000, dailyCap: null, spentToday: 0 },
}

test('the price shows search and pages apart and warns of the search (S10.317)', () => {
  const usual = { low: 300, high: 900 }
  expect(plain(webText({ search: 0, pages: 24_000 }))).toBe('страницы до 24 000')
  expect(plain(priceLine({ ...context, usual, web: { search: 1500, pages: 12_000 } }).parts ?? '')).toBe(
    'Вопрос 100, поиск 1 500, страницы до 12 000, ответ обычно до 900',
  )
  const balance = { ...context.balance, availableTokens: 1000 }
  const poor = priceLine({ ...context, balance, usual, web: { search: 1500, pages: 12_000 } })
  expect(poor.short).toBe('top-up')
})
