import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { disputesApi } from '#contract/disputes.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { DisputeTable } from './dispute-table.tsx'

test('filters are folded on a phone, and an empty queue says so (S10.245)', async () => {
  new FakeServer().on(disputesApi.list, { items: [], total: 0 })
  render(<DisputeTable kindLabels={(kind) => kind} />)
  const button = screen.getByRole('button', { name: 'Фильтры' })
  expect(document.getElementById(button.getAttribute('aria-controls') ?? '')).toContain(
    screen.getByLabelText('Состояние'),
  )
  expect(await screen.findByText('Нет списаний, ждущих решения')).toBeTruthy()
})
