import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accountApi } from '#contract/account.ts'
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

test('an old session shows no list until the owner asks (S10.581)', async () => {
  let isProven = false
  new FakeServer()
    .on(authApi.getSession, null)
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
