import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { Filters } from './filters.tsx'
import { FilterChip } from './table/filter-chip.tsx'
import { type Chip, FilterChips } from './table/filter-chips.tsx'

const chip = (label: string, value: string | null) => (
  <FilterChip label={label} any="Любой" value={value} options={[{ value: 'a', label: 'А' }]} onChange={() => {}} />
)

test('filters are folded on a phone, except the set filters (S10.182)', async () => {
  const { user } = render(
    <Filters>
      {chip('Тариф', 'a')}
      {chip('Состояние', null)}
    </Filters>,
  )
  const button = screen.getByRole('button', { name: 'Фильтры' })
  const folded = document.getElementById(button.getAttribute('aria-controls') ?? '')
  expect(button.getAttribute('aria-expanded')).toBe('false')
  expect(folded?.className).toContain('hidden')
  expect(screen.getByLabelText('Тариф').classList).toContain('chip-on')
  expect(screen.getByLabelText('Состояние').classList).not.toContain('chip-on')
  await user.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(folded?.className).not.toContain('hidden')
})

test('rare filters are behind «Ещё», except the set filters', async () => {
  type State = { plan: string | null; role: string | null; from: string | null; to: string | null }
  const chips: Chip<State>[] = [
    { filter: 'plan', label: 'Тариф', any: 'Любой', options: { a: 'А' } },
    { filter: 'role', label: 'Роль', any: 'Любая', options: { admin: 'Администраторы' }, isRare: true },
    { from: 'from', to: 'to', label: 'Регистрация', type: 'date', isRare: true },
  ]
  const state = { plan: null, role: 'admin', from: null, to: null }
  const { user } = render(<FilterChips state={state} change={() => {}} chips={chips} />)
  expect(screen.getByLabelText('Тариф')).toBeTruthy()
  expect(screen.getByLabelText('Роль')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Регистрация' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Ещё' }))
  expect(screen.getByRole('button', { name: 'Регистрация' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Ещё' })).toBeNull()
})
