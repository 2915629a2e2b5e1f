import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { apiKeysApi } from '#contract/api-keys.ts'
import { authApi } from '#contract/auth.ts'
import { ApiError } from '#contract/errors.ts'
import { setRequirementDialog } from '#web/lib/call-requirements.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { SessionList } from './session-list.tsx'

const at = '2026-11-17T12:00:00.000Z'
const phone = {
  ...{ id: 's2', token: 't2', userId: 'u1', createdAt: at, updatedAt: at, expiresAt: at },
  ...{ ipAddress: '203.0.113.7', userAgent: null },
}

const key = {
  ...{ id: 'k1', name: 'n8n', prefix: 'sym-Ab3d', lastFour: 'x9Qz', models: null, capDay: null, capMonth: null },
  ...{ spentToday: 0, spentMonth: 0, addresses: [], maskPersonal: false, expiresAt: null, lastUsedAt: null },
  ...{ lastUsedFrom: null, endedAt: null, endedByAdmin: false, createdAt: at },
}
const keys = (...list: (typeof key)[]) => ({ keys: list, baseUrl: 'https://a.example/v1', isOn: true, most: 20 })

function startSessions(own: ReturnType<typeof keys>) {
  const ended: string[] = []
  new FakeServer()
    .on(authApi.getSession, null)
    .on(accountApi.listSessions, [phone, { ...phone, id: 's3', token: 't3' }])
    .on(apiKeysApi.list, own)
    .on(apiKeysApi.endAll, () => {
      ended.push('keys')
      return { ended: 1 }
    })
    .on(accountApi.revokeOtherSessions, () => {
      ended.push('sessions')
      return { status: true }
    })
  return { ended, ...render(<SessionList />) }
}

test('ending the other sessions ends API keys too, unless they are kept (S10.1234)', async () => {
  const { ended, user } = startSessions(keys(key))
  const open = await screen.findByRole('button', { name: 'Завершить остальные сеансы' })
  await waitFor(async () => {
    await user.click(open)
    expect(screen.queryByRole('switch', { name: 'Отключить ключи API' })).toBeTruthy()
  })
  await user.click(screen.getByRole('button', { name: 'Завершить' }))
  await waitFor(() => expect(ended).toEqual(['keys', 'sessions']))
  await user.click(await screen.findByRole('button', { name: 'Завершить остальные сеансы' }))
  await user.click(await screen.findByRole('switch', { name: 'Отключить ключи API' }))
  await user.click(screen.getByRole('button', { name: 'Завершить' }))
  await waitFor(() => expect(ended).toEqual(['keys', 'sessions', 'sessions']))
})

test('without keys the other sessions end at once (S10.1234)', async () => {
  const { ended, user } = startSessions(keys())
  await user.click(await screen.findByRole('button', { name: 'Завершить остальные сеансы' }))
  await waitFor(() => expect(ended).toEqual(['sessions']))
})

test('an old session shows no list until the owner asks (S10.581)', async () => {
  let isProven = false
  new FakeServer()
    .on(authApi.getSession, null)
    .on(apiKeysApi.list, keys())
    .on(accountApi.listSessions, () =>
      isProven ? [phone] : new ApiError({ status: 403, code: 'proof_required', message: 'Подтвердите' }),
    )
  const ask = vi.fn(async () => {
    isProven = true
    return true
  })
  setRequirementDialog('proof_required', ask)
  const { user } = render(<SessionList />)
  const show = await screen.findByRole('button', { name: 'Показать сеансы' })
  expect(ask).not.toHaveBeenCalled()
  await user.click(show)
  expect(await screen.findByText(/203\.0\.113\.7/)).toBeTruthy()
  setRequirementDialog('proof_required', null)
})
