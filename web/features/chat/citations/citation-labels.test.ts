import { expect, test } from 'vitest'
import { citedParts, mayCite } from '#web/ui/markdown/citations.ts'
import { listCitations } from './citation-labels.ts'

const citation = (n: number, place: string | null = null, fileName = 'договор.pdf') => ({
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

test('only citations of the answer are listed, each place once, in order', () => {
  const citations = [
    citation(1, 'стр. 4'),
    citation(2, 'стр. 4'),
    citation(3, 'стр. 9'),
    citation(4, null, 'цены.xlsx'),
  ]
  const cited = listCitations('Так [4], и так [1, 2].', citations)
  expect(cited.map(({ name }) => name)).toEqual(['договор.pdf, стр. 4', 'цены.xlsx'])
  expect(cited[0]?.citation.n).toBe(1)
  expect(listCitations('Без ссылок и с чужой [9]', citations)).toEqual([])
})
