import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { Filters } from './filters.tsx'
import { FilterChip } from './table/filter-chip.tsx'

const chip = (label: string, value: string | null) => (
  <FilterChip label={label} any="Любой" value={value} options={[{ value: 'a', label: 'А' }]} onChange={() => {}} />
)

test('filters are folded on a phone but for those that are set, and a button unfolds them', async () => {
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
