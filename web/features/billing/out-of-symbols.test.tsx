import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { SingleSubscription } from '#contract/billing.ts'
import { usersApi } from '#contract/users.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { notify } from '#web/lib/notify.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { type BalanceNotice, decideNotice, type ShownNotices, useBalanceNotices } from './out-of-symbols.ts'

function Notices() {
  useBalanceNotices()
  return null
}

const END = 'Закончились символы в подписке'
const empty = { availableTokens: 0, active: false }

function open(balance: Partial<SingleSubscription>) {
  new FakeServer().on(usersApi.me, aProfile(balance))
  const client = createQueryClient()
  client.setQueryData(profileQuery.queryKey, aProfile(balance))
  const drawn = render(<Notices />, { client })
  const setBalance = (next: Partial<SingleSubscription>) =>
    act(() => void client.setQueryData(profileQuery.queryKey, aProfile(next)))
  return { ...drawn, setBalance }
}

test('the notice about the end leads to a subscription', async () => {
  const { user, address } = open(empty)
  expect(await screen.findByText(END)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Оформить подписку' }))
  expect(address()).toBe('/profile#plan')
})

test('a subscriber’s notice leads to more symbols (S4.1)', async () => {
  const { user, address } = open({ ...empty, recurrent: true })
  await user.click(await screen.findByRole('button', { name: 'Докупить символы' }))
  expect(address()).toBe('/profile#bundles')
})

test('the notice disappears when symbols are available again', async () => {
  const { setBalance } = open(empty)
  await screen.findByText(END)
  setBalance({ availableTokens: 10_000 })
  await waitFor(() => expect(screen.queryByText(END)).toBeNull())
})

test('a running answer delays the notice, because it may return symbols', async () => {
  const notice = vi.spyOn(notify, 'error')
  const { setBalance } = open({ ...empty, held: 500 })
  expect(notice).not.toHaveBeenCalled()
  setBalance(empty)
  expect(await screen.findByText(END)).toBeTruthy()
})

test('the notice is shown once, and again after it was closed', async () => {
  const notice = vi.spyOn(notify, 'error')
  const { user, setBalance } = open(empty)
  await screen.findByText(END)
  setBalance({ ...empty, spentToday: 1 })
  await user.click(screen.getByRole('button', { name: 'Закрыть уведомление' }))
  await waitFor(() => expect(screen.queryByText(END)).toBeNull())
  expect(notice).toHaveBeenCalledTimes(1)
  setBalance({ ...empty, spentToday: 2 })
  expect(await screen.findByText(END)).toBeTruthy()
  expect(notice).toHaveBeenCalledTimes(2)
})

test('an update without changes shows a closed notice again (S4.1)', async () => {
  const { user, client } = open(empty)
  await screen.findByText(END)
  await user.click(screen.getByRole('button', { name: 'Закрыть уведомление' }))
  await waitFor(() => expect(screen.queryByText(END)).toBeNull())
  await act(() => client.refetchQueries({ queryKey: profileQuery.queryKey }))
  expect(await screen.findByText(END)).toBeTruthy()
})

test('a low balance warns below a fifth and again below a twentieth', async () => {
  const notice = vi.spyOn(notify, 'info')
  const { setBalance } = open({ availableTokens: 1900 })
  expect(await screen.findByText(/^Осталось меньше 20\s% символов$/)).toBeTruthy()
  expect(screen.getByText(/^На балансе 1\s900\sсимволов\.$/)).toBeTruthy()
  setBalance({ availableTokens: 1800 })
  setBalance({ availableTokens: 400 })
  expect(await screen.findByText(/^Осталось меньше 5\s% символов$/)).toBeTruthy()
  expect(notice).toHaveBeenCalledTimes(2)
})

test('the next visit does not repeat the warning', async () => {
  const first = open({ availableTokens: 1900 })
  await screen.findByText(/меньше 20/)
  first.unmount()
  const notice = vi.spyOn(notify, 'info')
  const { setBalance } = open({ availableTokens: 1900 })
  expect(notice).not.toHaveBeenCalled()
  setBalance({ availableTokens: 400 })
  await waitFor(() => expect(notice).toHaveBeenCalledTimes(1))
})

const calm: ShownNotices = { end: false, warning: null }
const left = (availableTokens: number, held = 0) => ({
  availableTokens,
  held,
  capacity: 1000,
  active: availableTokens > 0,
})

/** The notices while the balance takes these values one after another. */
function notices(values: number[], start = calm): BalanceNotice[] {
  let shown = start
  return values.map((value) => {
    const decision = decideNotice(shown, left(value))
    shown = decision.shown
    return decision.notice
  })
}

test('the notice about the end of the symbols is shown once (S4.1)', () => {
  expect(notices([500, 0, 0, 0])).toEqual([null, 'end', null, null])
})

test('closing the notice resets the flag (S4.1)', () => {
  const { shown } = decideNotice(calm, left(0))
  expect(decideNotice({ ...shown, end: false }, left(0)).notice).toBe('end')
})

test('new symbols reset the notice, and a rising balance warns of nothing', () => {
  expect(notices([0, 900, 0])).toEqual(['end', null, 'end'])
  expect(notices([0, 150, 40, 0])).toEqual(['end', null, 0.05, 'end'])
  expect(decideNotice({ end: true, warning: 0.05 }, left(900)).shown).toEqual(calm)
})

test('symbols held by an answer do not count as the end', () => {
  expect(decideNotice(calm, left(0, 300)).notice).toBeNull()
  expect(decideNotice(calm, left(0, 0)).notice).toBe('end')
})

test('the balance warns once below a fifth and below a twentieth (S10.46)', () => {
  expect(notices([300, 199, 150, 49, 30])).toEqual([null, 0.2, null, 0.05, null])
})

test('a fall through both limits gives only the stronger warning', () => {
  expect(notices([300, 10])).toEqual([null, 0.05])
})

test('another descent warns again', () => {
  expect(notices([199, 500, 199])).toEqual([0.2, null, 0.2])
  expect(notices([49, 150, 49])).toEqual([0.05, null, 0.05])
})

test('a warning of a previous visit is not repeated', () => {
  expect(notices([150, 49], { end: false, warning: 0.2 })).toEqual([null, 0.05])
})
