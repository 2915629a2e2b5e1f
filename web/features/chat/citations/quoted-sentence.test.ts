import { expect, test } from 'vitest'
import { claimOf, findQuoted, nearby } from './quoted-sentence.ts'

test('only the sentence that fits the claim is marked (S10.657)', () => {
  const clauses = Array.from({ length: 24 }, (_, i) => `${i + 1}. Пункт о чём-то своём номер ${i + 1}.`)
  clauses[12] = '13. Арендатор вносит плату до 10 числа каждого месяца.'
  const text = `Договор аренды\n${clauses.join('\n')}`
  const answer = 'Договор подписан. Плата вносится арендатором до 10 числа [1]. Остальное неважно [2].'
  expect(claimOf(answer, 1)).toContain('Плата вносится')
  expect(claimOf(answer, 1)).not.toContain('Остальное')
  const { before, quoted, after } = findQuoted(text, claimOf(answer, 1))
  expect(quoted).toBe('Арендатор вносит плату до 10 числа каждого месяца.')
  expect(before + quoted + after).toBe(text)
})

test('nothing is marked when no sentence fits', () => {
  expect(findQuoted('Совсем другое.', 'Плата до 10 числа')).toEqual({ before: '', quoted: '', after: 'Совсем другое.' })
})

test('a sentence does not end at a shortened word (S10.1491)', () => {
  const text = 'Срок — год. Неустойка по п. 4.2 равна 0,1 % от суммы (см. ст. 330 ГК) за каждый день. Споры решает суд.'
  expect(findQuoted(text, 'Неустойка равна 0,1 % от суммы за день [1]').quoted).toBe(
    'Неустойка по п. 4.2 равна 0,1 % от суммы (см. ст. 330 ГК) за каждый день.',
  )
})

test('the text near a sentence is whole sentences (S10.1491)', () => {
  const text = 'Первое предложение. Второе предложение. Третье предложение.'
  expect(nearby(text, 'last', 45)).toBe('Второе предложение. Третье предложение.')
  expect(nearby(text, 'first', 10)).toBe('Первое предложение. ')
  expect(nearby(text, 'first', 1000)).toBe(text)
})
