import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { bySection, Contents } from './contents.tsx'
import { FoundList } from './found-list.tsx'

const entry = (slug: string, section: string) => ({
  ...{ slug, section, title: slug, description: '', open: false },
  forAdmins: slug.startsWith('owners/'),
})

test('the contents have sections, and both keep their order', () => {
  const contents = [entry('start/b', 'Начало'), entry('start/a', 'Начало'), entry('money/why', 'Деньги')]
  expect(bySection(contents).map(({ title, pages }) => [title, pages.map(({ slug }) => slug)])).toEqual([
    ['Начало', ['start/b', 'start/a']],
    ['Деньги', ['money/why']],
  ])
  expect(bySection([])).toEqual([])
})

test('help for owners comes last and says who sees it (S10.1551)', () => {
  render(<Contents entries={[entry('owners/mail', 'Владельцу установки'), entry('start/a', 'Начало')]} />)
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Начало',
    'Владельцу установки',
  ])
  expect(screen.getAllByText('Этот раздел видят только администраторы.')).toHaveLength(1)
})

test('found pages for owners stand apart (S10.1551)', () => {
  const found = (slug: string) => ({ ...entry(slug, ''), heading: null, fragment: [] })
  const { rerender } = render(<FoundList found={[found('owners/mail'), found('start/a')]} />)
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['start/a', 'owners/mail'])
  expect(screen.getByRole('heading').textContent).toBe('Владельцу установки')
  rerender(<FoundList found={[found('start/a')]} />)
  expect(screen.queryByRole('heading')).toBeNull()
})
