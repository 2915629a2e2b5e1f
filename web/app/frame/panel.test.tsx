import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { disputesApi } from '#contract/disputes.ts'
import type { SessionUser } from '#contract/page.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { Panel } from './panel.tsx'

const anna = {
  id: 'anna',
  email: 'anna@mail.ru',
  name: 'Анна',
  image: null,
  role: 'user',
  impersonated: false,
} as const

function open(path: string, user: SessionUser) {
  new FakeServer().on(usersApi.me, aProfile()).on(threadsApi.list, []).on(disputesApi.waiting, { count: 2 })
  return render(<Panel user={user} isCompact={false} toggle={null} onSearch={() => {}} />, { path })
}

const sections = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('link')
    .map((link) => link.firstElementChild?.nextElementSibling?.textContent)

test('an owner’s panel has a single admin link above the chats (S10.181)', async () => {
  const { user, address } = open('/', { ...anna, role: 'admin' })
  await screen.findByText(/Здесь появятся ваши чаты/)
  expect(sections('Разделы')).toEqual([
    'Чаты',
    'Проекты',
    'Ассистенты',
    'Изображения',
    'Расшифровка',
    'Промпты',
    'Помощь',
    'Управление',
  ])
  expect((await screen.findByText(/ждут решения/)).closest('a')?.getAttribute('href')).toBe('/admin/statistic')
  await user.click(screen.getByRole('link', { name: /Управление/ }))
  expect(address()).toBe('/admin/statistic')
})

test('the admin panel marks the open section and leads back to chats (S10.181)', async () => {
  const { user, address } = open('/admin/limits', { ...anna, role: 'admin' })
  const panel = await screen.findByRole('navigation', { name: 'Управление' })
  expect(within(panel).getAllByRole('link')).toHaveLength(13)
  expect(within(panel).getByRole('link', { current: 'page' }).textContent).toBe('Ограничения')
  expect(screen.queryByRole('list', { name: 'Разделы' })).toBeNull()
  await user.click(screen.getByRole('link', { name: 'К чатам' }))
  expect(address()).toBe('/threads')
  expect(await screen.findByRole('list', { name: 'Разделы' })).toBeTruthy()
})

test('the admin panel groups its entries by what they are about (S10.1557)', async () => {
  open('/admin/limits', { ...anna, role: 'admin' })
  const entriesOf = async (group: string) =>
    within(await screen.findByRole('list', { name: group }))
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')?.replace('/admin/', ''))
  expect(await entriesOf('Управление')).toEqual(['statistic', 'status'])
  expect(await entriesOf('Люди')).toEqual(['users', 'disputes'])
  expect(await entriesOf('Деньги')).toEqual(['transactions', 'plans', 'promocodes', 'payments', 'tokens-bundles'])
  expect(await entriesOf('Настройка')).toEqual(['models', 'documents', 'audit', 'limits'])
})

test('other users see no administration', async () => {
  open('/', anna)
  await screen.findByText(/Здесь появятся ваши чаты/)
  expect(screen.queryByText('Управление')).toBeNull()
})

test('the table of a user’s prompts belongs to «Промпты» (S10.186)', async () => {
  open('/promptcms', anna)
  await screen.findByText(/Здесь появятся ваши чаты/)
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Промпты')
})
