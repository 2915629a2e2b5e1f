import { expect, test } from 'vitest'
import { speechOf } from './speech-text.ts'

test('an answer is read as plain text without code and formulas (S10.211)', () => {
  const answer = [
    '## Как начать',
    'Возьмите **Node** из [справки](/help). Это `npm`! [1]',
    '```sh\nnpm install\n```',
    '- раз\n- два',
    'Площадь $S = a^2$ известна.',
    '| Город | Час |\n| --- | --- |\n| Минск | 3 |',
  ].join('\n\n')
  expect(speechOf(answer)).toEqual([
    'Как начать',
    'Возьмите Node из справки.',
    'Это npm!',
    'Код.',
    'раз',
    'два',
    'Площадь формула известна.',
    'Город, Час',
    'Минск, 3',
  ])
})

test('spoken parts are short, and no word is lost or cut', () => {
  const text = `${'слово и ещё одно, '.repeat(60)}${'безпробелов '.repeat(40)}конец.`
  const parts = speechOf(text)
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(160)
  expect(parts.join(' ')).toBe(text)
})
