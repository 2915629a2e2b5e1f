import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type SetupStepName, setupSteps, statusApi } from '#contract/status.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { SetupCard, SetupSteps } from './setup-list.tsx'

const stepsWith = (...done: SetupStepName[]) =>
  setupSteps.map((name) => ({ name, isDone: done.includes(name), text: `Про ${name}`, at: null }))

test('each step says its state and leads to where it is done (S10.1556)', async () => {
  new FakeServer().on(statusApi.setup, stepsWith('model', 'prices'))
  render(<SetupCard />)
  expect(await screen.findByText('2 из 8')).toBeTruthy()
  const items = screen.getAllByRole('listitem')
  expect(items.map((item) => within(item).getByRole('link').getAttribute('href'))).toEqual([
    '/help/owners/first-day#adres',
    '/help/owners/mail',
    '/admin/models',
    '/admin/plans',
    '/admin/payments',
    '/admin/documents',
    '/help/owners/first-day#podderzhka',
    '/help/owners/backups',
  ])
  expect(screen.getAllByRole('img', { name: 'Сделано' })).toHaveLength(2)
  expect(screen.getByText('Про mail')).toBeTruthy()
})

test('the list hides when all is done, the state keeps it (S10.1556)', async () => {
  new FakeServer().on(statusApi.setup, stepsWith(...setupSteps))
  render(
    <>
      <SetupCard />
      <SetupSteps />
    </>,
  )
  expect(await screen.findAllByRole('img', { name: 'Сделано' })).toHaveLength(8)
  expect(screen.queryByText(/Готово к продажам/)).toBeNull()
})

test('a folded list stays folded (S10.1556)', async () => {
  new FakeServer().on(statusApi.setup, stepsWith())
  const { user, unmount } = render(<SetupCard />)
  await user.click(await screen.findByRole('button', { name: 'Свернуть' }))
  expect(screen.queryByText('Про mail')).toBeNull()
  unmount()
  render(<SetupCard />)
  expect(await screen.findByRole('button', { name: 'Показать' })).toBeTruthy()
  expect(screen.queryByText('Про mail')).toBeNull()
})
