import { expect, test } from 'vitest'
import { wrongWords } from './russian.ts'

test('a wrong word is found in literals, templates and JSX text (S10.240)', () => {
  const source = [
    `const a = 'Удалите беседу'`,
    `const b = \`Список у поставщика \${a}\``,
    `const c = <p>`,
    `  Модель с низким тарифом`,
    `</p>`,
  ].join('\n')
  expect(wrongWords('web/a.tsx', source)).toEqual([
    '1  беседу → чат',
    '2  поставщика → провайдер',
    '3  низким тарифом → коэффициент',
  ])
})

test('a plan is «тариф», and comments are not checked', () => {
  const source = `/** беседа */ const a = 'Тариф «Про»: выберите тариф, модели те же' // поставщик`
  expect(wrongWords('web/a.ts', source)).toEqual([])
})

test('a heading that is a question is found, a field’s is not (S10.240)', () => {
  const source = [
    `const a = <FormSection title="Кто это"><h2>Сколько чего</h2></FormSection>`,
    `const b = [{ id: 'at', title: 'Когда', cell: 1 }, { title: 'Когда' }]`,
    `const c = <TextField label="Сколько символов" title="Как это работает" />`,
  ].join('\n')
  expect(wrongWords('web/a.tsx', source)).toEqual([
    '1  «Кто это» → a noun',
    '1  «Сколько чего» → a noun',
    '2  «Когда» → a noun',
  ])
})

test('the text of the specification stays in any file', () => {
  expect(wrongWords('web/a.ts', `const a = 'У вас нет беседы с таким ID'`)).toEqual([])
  expect(wrongWords('web/a.ts', `const a = 'У вас нет такой беседы'`)).toEqual(['1  беседы → чат'])
})

test('help pages are checked line by line, except their search words (S10.240)', () => {
  const page = ['---', 'words: беседа, поставщик', '---', 'Тариф ответа больше единицы.'].join('\n')
  expect(wrongWords('content/help/a.md', page)).toEqual(['4  Тариф ответа → коэффициент'])
})
