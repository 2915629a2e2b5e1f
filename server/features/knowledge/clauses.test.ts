import { expect, test } from 'vitest'
import { clausesIn, clausesOf } from './clauses.ts'

test('a clause is known by the number that its line begins with (S10.1081)', () => {
  const text = [
    '# 2. Цена',
    '2.1. Цена в пункте 3.4 не названа.',
    '| 2.2 | Аванс |',
    '- 2.3) Пеня',
    'Статья 14. Срок',
    '15 рублей',
    '12.05.2026 подписано',
    'а) доля',
    '7) семь',
  ].join('\n')
  expect(clausesIn(text)).toEqual(['§2', '§2.1', '§2.2', '§2.3', '§14', '§7'])
})

test('an item that is set in belongs to the clause above (S10.1586)', () => {
  const text = [
    '# 2. Плата',
    '  1. Плата равна 700.',
    '    1. Пеня.',
    '    2. Срок.',
    '  2. До 5 числа.',
    '3. Прочее',
    '4. Иное',
  ]
  expect(clausesIn(text.join('\n'))).toEqual(['§2', '§1', '§2.1', '§2.1.1', '§2.1.2', '§2.2', '§3', '§4'])
})

test.each([
  ['Что в пункте 2.1?', ['§2.1']],
  ['О чём п. 2.1 и ст.5 договора?', ['§2.1', '§5']],
  ['Раздел № 5', ['§5']],
  ['Подпункт 1.2.3.', ['§1.2.3']],
  ['Сколько стоят 2.1 тонны?', []],
  ['Выступ 5', []],
])('«%s» asks for its clauses (S10.1081)', (question, clauses) => {
  expect(clausesOf(question)).toEqual(clauses)
})
