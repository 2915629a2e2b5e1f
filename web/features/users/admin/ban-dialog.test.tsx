import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { authAdminApi } from '#contract/auth-admin.ts'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import type { UserCard } from '#contract/users-admin.ts'
import { exampleOf } from '#web/testing/example-of.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aBalance } from '#web/testing/samples.ts'
import { BanDialog } from './ban-dialog.tsx'

const open = (recurrent: boolean) => {
  const SingleSubscription = aBalance({ recurrent: false })
  const server = new FakeServer()
    .on(ordersAdminApi.cancelRenewal, { SingleSubscription })
    .on(authAdminApi.banUser, exampleOf(authAdminApi.banUser.returns) as never)
  const user = { id: 'anna', name: 'Анна', email: 'anna@example.test', SingleSubscription: aBalance({ recurrent }) }
  return { server, ...render(<BanDialog user={user as UserCard} onClose={() => undefined} />) }
}

test('blocking ends the renewal unless it is unticked (S10.1458)', async () => {
  const { server, user } = open(true)
  const tick = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Отменить и продление/ })
  expect(tick.checked).toBe(true)
  await user.type(screen.getByRole('textbox', { name: 'За что' }), 'Спам')
  await user.click(screen.getByRole('button', { name: 'Заблокировать' }))
  await waitFor(() => expect(server.calls(authAdminApi.banUser)).toHaveLength(1))
  expect(server.calls(ordersAdminApi.cancelRenewal)).toMatchObject([{ params: { id: 'anna' } }])
})

test('a person without a renewal is not asked about it (S10.1458)', () => {
  open(false)
  expect(screen.queryByRole('checkbox')).toBeNull()
})
