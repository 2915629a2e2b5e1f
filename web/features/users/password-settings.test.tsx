import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { apiKeysApi } from '#contract/api-keys.ts'
import { authApi } from '#contract/auth.ts'
import { pageApi } from '#contract/page.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { PasswordSettings } from './password-settings.tsx'

const at = '2026-11-19T12:00:00.000Z'
const key = {
  ...{ id: 'k1', name: 'n8n', prefix: 'sym-Ab3d', lastFour: 'x9Qz', models: null, capDay: null, capMonth: null },
  ...{ spentToday: 0, spentMonth: 0, addresses: [], maskPersonal: false, expiresAt: null, lastUsedAt: null },
  ...{ lastUsedFrom: null, endedAt: null, endedByAdmin: false, createdAt: at },
}
const user = { id: 'u1', email: 'anna@example.test', name: 'Анна', emailVerified: true, createdAt: at, updatedAt: at }
const credential = { id: 'a1', providerId: 'credential', accountId: 'u1', userId: 'u1', createdAt: at, updatedAt: at }

async function openForm(keys: (typeof key)[]) {
  const sent: unknown[] = []
  const account = { ...credential, scopes: [] }
  new FakeServer()
    .on(authApi.getSession, null)
    .on(pageApi.state, () => new Promise(() => {}))
    .on(accountApi.listAccounts, [account])
    .on(apiKeysApi.list, { keys, baseUrl: 'https://a.example/v1', isOn: true, most: 20 })
    .on(accountApi.changePassword, ({ body }) => {
      sent.push(body)
      return { token: null, user: { ...user, image: null } }
    })
  const rendered = render(<PasswordSettings email={user.email} />)
  await rendered.user.click(await screen.findByRole('button', { name: 'Сменить пароль' }))
  await rendered.user.type(await screen.findByLabelText('Нынешний пароль'), 'the old password')
  await rendered.user.type(screen.getByLabelText('Новый пароль'), 'a new good password')
  const submit = () =>
    rendered.user.click(screen.getAllByRole('button', { name: 'Сменить пароль' }).at(-1) as HTMLElement)
  return { ...rendered, sent, submit }
}

test('a new password ends API keys unless they are kept (S10.1233)', async () => {
  const { sent, submit, user: person } = await openForm([key])
  const choice = await screen.findByRole('switch', { name: 'Отключить ключи API' })
  expect(choice).toHaveProperty('checked', true)
  await person.click(choice)
  await submit()
  await waitFor(() => expect(sent).toMatchObject([{ revokeOtherSessions: true, endApiKeys: false }]))
})

test('nothing is asked about keys that are not there (S10.1233)', async () => {
  const { sent, submit } = await openForm([{ ...key, endedAt: at as never }])
  expect(screen.queryByRole('switch', { name: 'Отключить ключи API' })).toBeNull()
  await submit()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).not.toHaveProperty('endApiKeys')
})
