import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { usersApi } from '#contract/users.ts'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { field, openComposer } from '../testing/open-composer.tsx'
import { countValues, maskedWords } from './masked-words.ts'

afterEach(() => localStorage.removeItem('masking:declined'))

const far = aModel({ country: 'US' })
const abroad = { chosen: { model: far, name: far.name }, models: [far] }
const TEXT = 'Мой номер 89991234567'

test('the line shows what is hidden, and a switch sends it (S10.338)', async () => {
  const { user, sentAsIs } = openComposer({ ...abroad, settings: { maskPersonal: true } })
  await user.type(field(), TEXT)
  expect(await screen.findByText('Модель не увидит: телефон')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Отправить как есть' }))
  expect(await screen.findByText('Модель увидит: телефон')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Отправить' }))
  // The choice was for one message.
  await user.type(field(), `${TEXT}{enter}`)
  expect(sentAsIs).toEqual([true, false])
})

test('names of the personal list are counted too', async () => {
  const { user } = openComposer({ ...abroad, settings: { maskPersonal: true, maskedNames: ['Анна'] } })
  await user.type(field(), 'Напиши Анне на a@b.ru и c@d.ru')
  expect(await screen.findByText('Модель не увидит: почта (2), имя')).toBeTruthy()
})

test('without the setting masking is offered once and can be declined (S10.339)', async () => {
  const { user, server } = openComposer({ ...abroad })
  server.on(usersApi.update, aProfile())
  await user.type(field(), TEXT)
  expect(await screen.findByText(/Данные уходят: США\. В сообщении личное: телефон\./)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Скрывать личное' }))
  await waitFor(() => expect(server.calls(usersApi.update).at(-1)?.body).toEqual({ Settings: { maskPersonal: true } }))
})

test('a declined offer does not come back', async () => {
  const { user, unmount } = openComposer({ ...abroad })
  await user.type(field(), TEXT)
  await user.click(await screen.findByRole('button', { name: 'Не предлагать' }))
  expect(screen.queryByText(/В сообщении личное/)).toBeNull()
  unmount()
  const again = openComposer({ ...abroad })
  await again.user.type(field(), `${TEXT} и ещё`)
  expect(screen.queryByText(/В сообщении личное/)).toBeNull()
})

test('domestic models and words without personal data have no line', async () => {
  const near = aModel({ country: 'RU' })
  const { user } = openComposer({ chosen: { model: near, name: near.name }, models: [near] })
  await user.type(field(), TEXT)
  expect(screen.queryByText(/личное|Модель/)).toBeNull()
})

test('two spellings of a value count once', () => {
  const parts = [
    { kind: 'phone' as const, token: '[телефон 1]', text: '89991234567' },
    { kind: 'phone' as const, token: '[телефон 1.2]', text: '+7 999 123-45-67' },
    { kind: 'card' as const, token: '[карта 1]', text: '4111 1111 1111 1111' },
  ]
  expect(maskedWords(countValues(parts))).toBe('телефон, карта')
})
