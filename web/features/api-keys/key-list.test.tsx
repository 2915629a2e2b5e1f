import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { type ApiKey, apiKeysApi } from '#contract/api-keys.ts'
import { modelsApi } from '#contract/models.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { KeyList } from './key-list.tsx'
import { TryKey } from './try-key.tsx'

const SECRET = `sym-Ab3d${'0'.repeat(35)}x9Qz`
const day = '2026-11-17T12:00:00.000Z'
const aKey = (change: Partial<ApiKey> = {}): ApiKey => ({
  ...{ id: 'k1', name: 'n8n', prefix: 'sym-Ab3d', lastFour: 'x9Qz', models: null, capDay: null, capMonth: null },
  ...{ spentToday: 0, spentMonth: 0, addresses: [], maskPersonal: false, expiresAt: null, lastUsedAt: null },
  ...{ lastUsedFrom: null, endedAt: null, endedByAdmin: false, createdAt: day },
  ...change,
})
const listOf = (...keys: ApiKey[]) => ({ keys, baseUrl: 'https://chat.example/v1', isOn: true, most: 20 })

function Page({ keys }: { keys: ApiKey[] }) {
  const [secret, setSecret] = useState('')
  return (
    <>
      <KeyList data={listOf(...keys)} onMade={(made) => setSecret(made.secret)} />
      <TryKey secret={secret} onSecret={setSecret} />
    </>
  )
}

test('a new key is shown once and can be tried at once (S10.996)', async () => {
  const server = new FakeServer().on(modelsApi.list, []).on(apiKeysApi.create, { key: aKey(), secret: SECRET })
  const { user } = render(<Page keys={[]} />)
  await user.click(screen.getByRole('button', { name: 'Создать ключ' }))
  const form = screen.getByRole('dialog', { name: 'Новый ключ API' })
  await user.click(within(form).getByRole('button', { name: 'Создать ключ' }))
  expect(within(form).getByLabelText('Название').getAttribute('aria-invalid')).toBe('true')
  await user.type(within(form).getByLabelText('Название'), 'n8n')
  await user.type(within(form).getByLabelText('Предел за день'), '5 000')
  await user.type(within(form).getByLabelText('С каких адресов'), '203.0.113.7{enter}2001:db8::/32')
  await user.click(within(form).getByRole('button', { name: 'Создать ключ' }))
  const shown = await screen.findByRole('dialog', { name: 'Ключ готов' })
  expect(within(shown).getByLabelText<HTMLInputElement>('Ключ API').value).toBe(SECRET)
  expect(server.calls(apiKeysApi.create)).toMatchObject([
    { body: { name: 'n8n', capDay: 5000, capMonth: null, models: null, addresses: ['203.0.113.7', '2001:db8::/32'] } },
  ])
  await user.click(within(shown).getByRole('button', { name: 'Готово' }))
  expect(screen.getByLabelText<HTMLInputElement>('Ключ API').value).toBe(SECRET)
})

test('a new key asks for name and limit, the rest is folded (S10.1535)', async () => {
  new FakeServer().on(modelsApi.list, [])
  const { user } = render(<Page keys={[]} />)
  await user.click(screen.getByRole('button', { name: 'Создать ключ' }))
  const form = within(screen.getByRole('dialog', { name: 'Новый ключ API' }))
  const folded = form.getByText('Дополнительно').closest('details')
  expect(folded?.open).toBe(false)
  const isOutside = (label: string) => folded?.contains(form.getByLabelText(label)) === false
  expect(['Название', 'Предел за день'].filter(isOutside)).toHaveLength(2)
  expect(['Предел за месяц', 'Действует по', 'С каких адресов'].filter(isOutside)).toEqual([])
  expect(form.getByText('Без срока, все модели, любые адреса')).toBeTruthy()
  await user.type(form.getByLabelText('С каких адресов'), '203.0.113.7')
  expect(form.getByText('Задано: адреса')).toBeTruthy()
})

test('errors of a key stand at their fields (S10.982)', async () => {
  const server = new FakeServer()
    .on(modelsApi.list, [])
    .on(apiKeysApi.create, rejection('bad_request', 'Срок ключа должен кончаться в будущем.', 'expiresAt'))
  const { user } = render(<Page keys={[]} />)
  await user.click(screen.getByRole('button', { name: 'Создать ключ' }))
  const form = within(screen.getByRole('dialog', { name: 'Новый ключ API' }))
  await user.type(form.getByLabelText('Название'), 'n8n')
  await user.type(form.getByLabelText('Предел за день'), 'много')
  await user.type(form.getByLabelText('С каких адресов'), 'дом')
  await user.click(form.getByRole('switch', { name: 'Все модели' }))
  await user.click(form.getByRole('button', { name: 'Создать ключ' }))
  const errorOf = (label: string) => {
    const id = form.getByLabelText(label).getAttribute('aria-describedby')?.split(' ').at(-1)
    return document.getElementById(id ?? '')?.textContent
  }
  expect(errorOf('Предел за день')).toBe('Нужно целое число')
  expect(errorOf('С каких адресов')).toContain('например 203.0.113.7')
  expect(form.getByText('Выберите хотя бы одну модель')).toBeTruthy()
  expect(server.calls(apiKeysApi.create)).toEqual([])
  await user.clear(form.getByLabelText('Предел за день'))
  await user.clear(form.getByLabelText('С каких адресов'))
  await user.click(form.getByRole('switch', { name: 'Все модели' }))
  await user.click(form.getByRole('button', { name: 'Создать ключ' }))
  await waitFor(() => expect(errorOf('Действует по')).toBe('400: Срок ключа должен кончаться в будущем.'))
})

test('a row says what limits the key, and one press ends it (S10.996)', async () => {
  const key = aKey({ capDay: 5000, spentToday: 1200, addresses: ['203.0.113.7'], models: ['m1', 'm2'] })
  const server = new FakeServer().on(modelsApi.list, []).on(apiKeysApi.end, { ...key, endedAt: day })
  const { user } = render(<Page keys={[key, aKey({ id: 'k2', name: 'старый', endedAt: day })]} />)
  const row = within(screen.getByRole('list', { name: 'Ключи API' })).getByRole('listitem')
  expect(row.textContent?.replace(/\s/g, ' ')).toContain('за день 1 200 из 5 000 · 2 модели · только с 1 адреса')
  expect(row.textContent).toContain('sym-Ab3d…x9Qz')
  await user.click(within(row).getByRole('button', { name: 'Отключить ключ n8n' }))
  expect(server.calls(apiKeysApi.end)).toMatchObject([{ params: { id: 'k1' } }])
})
