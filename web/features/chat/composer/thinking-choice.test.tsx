import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { newUserId } from '#web/testing/render.tsx'
import { aModel } from '#web/testing/samples.ts'
import { field, openComposer } from '../testing/open-composer.tsx'
import { chooseThinking, thinkingChoice } from './thinking-choice.ts'

const thinker = aModel({ thinks: true, thoughtRate: 0.5, name: 'Думающая' })
const chosen = { model: thinker, name: thinker.name }
const chip = () => screen.queryByRole('button', { name: /^Сколько думать/ })

test('a model that thinks offers depths, and the choice is sent (S10.375)', async () => {
  const { user, sent, change } = openComposer({ chosen, balance: 100_000 })
  await user.click(await screen.findByRole('button', { name: /^Сколько думать: Обычно · до 1\s000$/ }))
  await user.click(await screen.findByRole('menuitemradio', { name: /^Подумать дольше/ }))
  expect(await screen.findByRole('button', { name: /^Сколько думать: Подумать дольше · до 10\s000$/ })).toBeTruthy()
  await user.type(field(), 'Вопрос{Enter}')
  change({ chosen: { model: aModel(), name: 'Умная' } })
  expect(chip()).toBeNull()
  await user.type(field(), 'Другой{Enter}')
  expect(sent).toEqual([
    { text: 'Вопрос', files: [], thinking: 'most' },
    { text: 'Другой', files: [] },
  ])
})

test('the usual depth is not sent', async () => {
  const { user, sent } = openComposer({ chosen })
  await screen.findByRole('button', { name: /^Сколько думать: Обычно · до 1\s000$/ })
  await user.type(field(), 'Вопрос{Enter}')
  expect(sent).toEqual([{ text: 'Вопрос', files: [] }])
})

test('each depth has its price, and the question’s price follows (S10.376, S10.630)', async () => {
  const { user } = openComposer({ chosen, balance: 1_000_000 })
  await user.type(field(), 'Вопрос')
  await screen.findByTitle(/^Вопрос 6, ответ с размышлениями обычно до 4\s200$/)
  await user.click(await screen.findByRole('button', { name: /^Сколько думать: Обычно · до 1\s000$/ }))
  const options = await screen.findAllByRole('menuitemradio')
  expect(options.map(({ textContent }) => textContent?.replace(/\s/g, ' '))).toEqual([
    'Обычнообычно до 1 000',
    'Подуматьобычно до 3 000',
    'Подумать дольшеобычно до 10 000',
  ])
  await user.click(options[1] as HTMLElement)
  await screen.findByTitle(/^Вопрос 6, ответ с размышлениями обычно до 6\s200$/)
})

test('the choice is stored per person and chat (S10.375)', () => {
  const [anna, boris] = [newUserId(), newUserId()]
  chooseThinking(anna, 't1', 'most')
  chooseThinking(anna, null, 'more')
  expect([thinkingChoice(anna, 't1'), thinkingChoice(anna, 't2'), thinkingChoice(anna, null)]).toEqual([
    'most',
    'usual',
    'more',
  ])
  expect(thinkingChoice(boris, 't1')).toBe('usual')
  chooseThinking(anna, 't1', 'usual')
  expect(thinkingChoice(anna, 't1')).toBe('usual')
})

test('only the newest choices are stored, and broken values are ignored', () => {
  const userId = newUserId()
  for (let i = 0; i < 60; i++) chooseThinking(userId, `t${i}`, 'more')
  expect([thinkingChoice(userId, 't9'), thinkingChoice(userId, 't10')]).toEqual(['usual', 'more'])
  localStorage.setItem(`thinking:${userId}`, '{"t59":"очень"}')
  expect(thinkingChoice(userId, 't59')).toBe('usual')
  localStorage.setItem(`thinking:${userId}`, '{')
  expect(thinkingChoice(userId, 't59')).toBe('usual')
})
