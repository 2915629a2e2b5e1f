import { expect, test } from 'vitest'
import { citedParts, mayCite } from '#web/ui/markdown/citations.ts'
import { citedIn } from './citation-labels.ts'

const source = (n: number, place: string | null = null, fileName = 'договор.pdf') => ({
  n,
  passageId: `c${n}`,
  fileId: 'f',
  fileName,
  place,
})

test('numbers in brackets are citations, other brackets are not', () => {
  expect(citedParts('Раз [1], два [2, 3].')).toEqual([
    { text: 'Раз ' },
    { text: '[1]', numbers: [1] },
    { text: ', два ' },
    { text: '[2, 3]', numbers: [2, 3] },
    { text: '.' },
  ])
  expect(citedParts('[1][2]')).toHaveLength(2)
  expect(citedParts('см. [x] и [2026-01]')).toEqual([{ text: 'см. [x] и [2026-01]' }])
  expect(mayCite('[1]')).toBe(true)
  expect(mayCite('массив[i]')).toBe(false)
})

test('only what the answer names is listed, each place once, in the order of the numbers', () => {
  const citations = [source(1, 'стр. 4'), source(2, 'стр. 4'), source(3, 'стр. 9'), source(4, null, 'цены.xlsx')]
  const cited = citedIn('Так [4], и так [1, 2].', citations)
  expect(cited.map(({ name }) => name)).toEqual(['договор.pdf, стр. 4', 'цены.xlsx'])
  expect(cited[0]?.source.n).toBe(1)
  expect(citedIn('Без ссылок и с чужой [9]', citations)).toEqual([])
})
