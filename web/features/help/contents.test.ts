import { expect, test } from 'vitest'
import { bySection } from './contents.tsx'

const entry = (slug: string, section: string) => ({ slug, section, title: slug, description: '', open: false })

test('the contents have sections, and both keep their order', () => {
  const contents = [entry('start/b', 'Начало'), entry('start/a', 'Начало'), entry('money/why', 'Деньги')]
  expect(bySection(contents).map(({ title, pages }) => [title, pages.map(({ slug }) => slug)])).toEqual([
    ['Начало', ['start/b', 'start/a']],
    ['Деньги', ['money/why']],
  ])
  expect(bySection([])).toEqual([])
})
