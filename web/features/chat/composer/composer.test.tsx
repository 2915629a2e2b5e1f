import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setEnterSends } from '#web/lib/enter-setting.ts'
import { newUserId } from '#web/testing/render.tsx'
import { aModel } from '#web/testing/samples.ts'
import { createDrafts, draftKey } from '../state/drafts.ts'
import { aMessage } from '../testing/a-message.ts'
import { canSend, field, openComposer, plainModel, sendButton } from '../testing/open-composer.tsx'

test('the field has the focus when the page opens', () => {
  openComposer()
  expect(document.activeElement).toBe(field())
})

test('Enter sends the trimmed text and empties the field', async () => {
  const { user, sent } = openComposer()
  await user.type(field(), '  Привет {Enter}')
  expect(sent).toEqual([{ text: 'Привет', files: [] }])
  expect(field().value).toBe('')
})

test('Shift + Enter begins a new line and sends nothing', async () => {
  const { user, sent } = openComposer()
  await user.type(field(), 'Раз{Shift>}{Enter}{/Shift}два')
  expect(field().value).toBe('Раз\nдва')
  expect(sent).toEqual([])
})

test('the setting swaps Enter and Shift + Enter, also in the hint', async () => {
  setEnterSends(false)
  const { user, sent } = openComposer()
  expect(await screen.findByText('Shift + Enter — отправить, Enter — новая строка')).toBeTruthy()
  await user.type(field(), 'Раз{Enter}два')
  expect(sent).toEqual([])
  await user.keyboard('{Shift>}{Enter}{/Shift}')
  expect(sent).toEqual([{ text: 'Раз\nдва', files: [] }])
})

test('the keys are explained in the first week only (S10.1455)', async () => {
  openComposer({ createdAt: '2026-01-01T00:00:00.000Z' })
  await screen.findByRole('button', { name: /^Модель/ })
  expect(screen.queryByText(/отправить/)).toBeNull()
})

test('Ctrl + Enter sends with either setting', async () => {
  setEnterSends(false)
  const { user, sent } = openComposer()
  await user.type(field(), 'Привет{Control>}{Enter}{/Control}')
  expect(sent).toHaveLength(1)
})

test('Enter that confirms a word of an input method does not send', async () => {
  const { user, sent } = openComposer()
  await user.type(field(), 'にほん')
  fireEvent.keyDown(field(), { key: 'Enter', isComposing: true })
  fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 })
  expect(sent).toEqual([])
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(sent).toEqual([{ text: 'にほん', files: [] }])
})

test('on a touch screen Enter begins a line, and the button sends', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  const { user, sent } = openComposer()
  await user.type(field(), 'Раз{Enter}два')
  expect(sent).toEqual([])
  await user.click(sendButton())
  expect(sent).toEqual([{ text: 'Раз\nдва', files: [] }])
})

test('spaces alone are not sent and show no error', async () => {
  const { user, sent } = openComposer()
  expect(canSend()).toBe(false)
  await user.type(field(), '   {Enter}')
  await user.click(sendButton())
  expect(sent).toEqual([])
  expect(screen.queryByRole('alert')).toBeNull()
})

test('nothing is sent without a model, and the reason is shown', async () => {
  const { user, sent } = openComposer({ chosen: { model: null, name: 'Прежняя' } })
  expect((await screen.findByRole('alert')).textContent).toBe('Модель этого чата больше недоступна. Выберите другую.')
  await user.type(field(), 'Привет{Enter}')
  expect(sent).toEqual([])
  expect(field().value).toBe('Привет')
})

test('nothing is sent until the models are loaded', async () => {
  const { user, sent, change } = openComposer({ chosen: undefined })
  await user.type(field(), 'Привет{Enter}')
  expect(sent).toEqual([])
  expect(field().value).toBe('Привет')
  change({ chosen: { model: plainModel, name: plainModel.name } })
  await user.keyboard('{Enter}')
  expect(sent).toHaveLength(1)
})

test('a text over the limit shows the excess and is not sent', async () => {
  const { user, sent } = openComposer()
  fireEvent.change(field(), { target: { value: 'а'.repeat(100_005) } })
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Сообщение длиннее 100\s000 на 5\sсимволов\./)
  await user.keyboard('{Enter}')
  expect(sent).toEqual([])
})

test('the price is one number; a press names its parts (S10.4, S10.1455)', async () => {
  const usualCosts = [{ modelId: 'm1', answer: { low: 150, high: 450 }, exchange: 1600 }]
  const { user } = openComposer({ history: [aMessage('q1', { content: 'а'.repeat(990) })], balance: 5000, usualCosts })
  await user.type(field(), 'Десятьбукв')
  const number = await screen.findByRole('button', { name: /^≈ 1\s600$/ })
  expect(number.parentElement?.textContent).toMatch(/^≈ 1\s600 · останется 3\s400$/)
  await user.click(number)
  expect(screen.getByText(/^Вопрос и история 1\s000, ответ обычно до 900$/)).toBeTruthy()
})

test('a question above the balance shows a warning before it is sent', async () => {
  const { user } = openComposer({ balance: 3 })
  await user.type(field(), 'Привет')
  expect((await screen.findByText(/а на балансе/)).textContent).toMatch(/^≈ 2\s000, а на балансе 3\. Пополнить$/)
  expect(screen.getByRole('link', { name: 'Пополнить' }).getAttribute('href')).toBe('/profile#bundles')
})

test('the list of models compares their costs and abilities in words (S10.162)', async () => {
  const dear = aModel({ id: 'm2', name: 'Зрячая', vision: true, contextSymbols: 500_000, inputRate: 2, outputRate: 4 })
  const { user } = openComposer({ models: [plainModel, dear] })
  await user.click(screen.getByRole('button', { name: 'Модель: Умная' }))
  const option = await screen.findByRole('option', { name: /Зрячая/ })
  expect(option.textContent).toContain('видит картинкипомнит длинные тексты')
  expect(option.textContent).toContain('вдвое дороже обычной')
})

test('the empty field explains «/» and «@»', async () => {
  openComposer()
  expect(await screen.findByText('/ — промпты, @ — ассистенты')).toBeTruthy()
})

test('a draft survives leaving the chat and stays in its chat (S10.124)', async () => {
  const userId = newUserId()
  const { user, unmount } = openComposer({ userId })
  await user.type(field(), 'Недописанное')
  unmount()
  const other = openComposer({ userId, threadId: 't2' })
  expect(field().value).toBe('')
  other.unmount()
  openComposer({ userId })
  expect(field().value).toBe('Недописанное')
  expect(field().selectionStart).toBe('Недописанное'.length)
})

test('leaving the page stores the draft at once (S10.124)', async () => {
  const { user, userId } = openComposer()
  await user.type(field(), 'Недописанное')
  dispatchEvent(new Event('pagehide'))
  expect(createDrafts(localStorage).read(draftKey(userId, 't1')).text).toBe('Недописанное')
})

test('another user of the same browser does not see the draft', async () => {
  const { user, unmount } = openComposer()
  await user.type(field(), 'Моё')
  unmount()
  openComposer()
  expect(field().value).toBe('')
})

test('the button or Esc stops an answer, and new messages wait', async () => {
  let stops = 0
  const { user, sent } = openComposer({ isAnswering: true, onStop: () => stops++ })
  expect(screen.queryByRole('button', { name: /Отправить/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Остановить' }))
  await user.type(field(), 'Ещё{Escape}')
  expect(stops).toBe(2)
  await user.click(screen.getByRole('button', { name: 'Отправить после ответа' }))
  expect(sent).toEqual([{ text: 'Ещё', files: [] }])
})

test('there is no stop button without a running answer', async () => {
  let stops = 0
  const { user } = openComposer({ onStop: () => stops++ })
  await user.type(field(), 'Привет{Escape}')
  expect(screen.queryByRole('button', { name: 'Остановить' })).toBeNull()
  expect(stops).toBe(0)
  expect(field().value).toBe('Привет')
})

test('another model is chosen from the list by keyboard', async () => {
  const chosen: string[] = []
  const { user } = openComposer({ onChooseModel: ({ name }) => chosen.push(name) })
  await user.click(screen.getByRole('button', { name: 'Модель: Умная' }))
  const list = await screen.findByRole('listbox', { name: 'Модели' })
  const options = await within(list).findAllByRole('option')
  expect(options.map((option) => option.getAttribute('aria-selected'))).toEqual(['true', 'false'])
  list.focus()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(chosen).toEqual(['Зрячая'])
  expect(screen.queryByRole('listbox')).toBeNull()
})
