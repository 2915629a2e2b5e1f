import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillPrompt, initialValues, parsePrompt, type Variable, valueProblem } from './prompt-variables.ts'

const only = (content: string): Variable => {
  const [variable] = parsePrompt(content).variables
  if (!variable) throw new Error(`No variable in ${content}`)
  return variable
}
const values = (given: Record<string, string>) => new Map(Object.entries(given))

describe('a variable describes itself', () => {
  test.each([
    ['{{имя}}', { name: 'имя', type: 'строка', initial: null }],
    ['{{ Имя клиента }}', { key: 'имя клиента', name: 'Имя клиента', type: 'строка', initial: null }],
    ['{{город=Минск}}', { type: 'строка', initial: 'Минск' }],
    ['{{примечание=}}', { type: 'строка', initial: '' }],
    ['{{письмо:текст}}', { type: 'текст', initial: null }],
    ['{{число слов : Число = 200}}', { name: 'число слов', type: 'число', initial: '200' }],
    ['{{цена:число=3,5}}', { type: 'число', initial: '3,5' }],
    ['{{срок:дата=сегодня}}', { type: 'дата', initial: 'сегодня' }],
    ['{{срок:дата=2026-12-31}}', { type: 'дата', initial: '2026-12-31' }],
    [
      '{{тон:выбор=деловой| тёплый |сухой}}',
      { type: 'выбор', options: ['деловой', 'тёплый', 'сухой'], initial: 'деловой' },
    ],
    ['{{адрес=https://example.ru/?a=1}}', { type: 'строка', initial: 'https://example.ru/?a=1' }],
  ])('%s', (content, expected) => {
    expect(only(content)).toMatchObject(expected)
    expect(parsePrompt(content).problems).toEqual([])
  })
})

describe('braces that are not understood stay text and are named (S10.136)', () => {
  test.each([
    ['{{имя:цвет}}', 'нет типа «цвет»'],
    ['{{тон:выбор=один}}', 'перечисляют варианты'],
    ['{{тон:выбор}}', 'перечисляют варианты'],
    ['{{счёт:число=много}}', 'не число'],
    ['{{срок:дата=31.12.2026}}', 'не дата'],
    ['{{срок:дата=2026-02-30}}', 'не дата'],
    ['{{#each items}}', 'имя начинается с буквы'],
    ['{{ user.name }}', 'имя начинается с буквы'],
    ['{{ }}', 'имя начинается с буквы'],
    ['{{=1}}', 'имя начинается с буквы'],
  ])('%s', (content, reason) => {
    const { parts, variables, problems } = parsePrompt(`до ${content} после`)
    expect(parts).toEqual([{ type: 'text', text: `до ${content} после` }])
    expect(variables).toEqual([])
    expect(problems).toEqual([{ source: content, reason: expect.stringContaining(reason) }])
  })
})

test('braces without a variable are text and not a problem', () => {
  for (const text of ['{имя}', '{{имя\nфамилия}}', '{{', '}}', '{{}}', 'a {{b} c}}']) {
    expect(parsePrompt(text)).toEqual({ parts: [{ type: 'text', text }], variables: [], problems: [] })
  }
})

test('a backslash escapes the braces', () => {
  expect(parsePrompt('Шаблон: \\{{имя}}, а это {{имя}}').parts).toEqual([
    { type: 'text', text: 'Шаблон: {{имя}}, а это ' },
    { type: 'variable', key: 'имя' },
  ])
})

test('the same name in any spelling is a single variable', () => {
  const { variables, problems } = parsePrompt('{{Тёма}} {{тема:выбор=а|б}} {{ТЕМА}}')
  expect(variables).toMatchObject([{ key: 'тема', name: 'Тёма', type: 'выбор' }])
  expect(problems).toEqual([])
  expect(fillPrompt('{{Тема}}, {{тема}}', values({ тема: 'сад' }))).toBe('сад, сад')
})

test('the first description of a variable counts, another is a problem', () => {
  const { variables, problems } = parsePrompt('{{срок:дата}} {{срок:число=3}}')
  expect(variables).toMatchObject([{ type: 'дата' }])
  expect(problems).toEqual([{ source: '{{срок:число=3}}', reason: expect.stringContaining('уже описана иначе') }])
})

test('a date is written in words, the rest as given', () => {
  const content = '{{срок:дата}}; {{сколько:число}}; {{кто}}'
  expect(fillPrompt(content, values({ срок: '2026-11-05', сколько: '1500,5', кто: ' Анна ' }))).toBe(
    '5 ноября 2026 г.; 1500,5; Анна',
  )
})

test('a form starts with the initial values of the prompt', () => {
  const { variables } = parsePrompt('{{а}} {{б=два}} {{в:дата=сегодня}} {{г:выбор=x|y}} {{д:дата=2026-01-02}}')
  expect([...initialValues(variables, '2026-11-15').values()]).toEqual(['', 'два', '2026-11-15', 'x', '2026-01-02'])
})

test('a value is checked by the kind of its variable', () => {
  expect(valueProblem(only('{{имя}}'), '  ')).toBe('Заполните это поле.')
  expect(valueProblem(only('{{имя=}}'), '')).toBeNull()
  expect(valueProblem(only('{{имя=Анна}}'), '')).toBe('Заполните это поле.')
  expect(valueProblem(only('{{n:число}}'), '12 000,5')).toBeNull()
  expect(valueProblem(only('{{n:число}}'), 'пять')).toContain('число')
  expect(valueProblem(only('{{d:дата}}'), '2026-02-29')).toContain('дата')
  expect(valueProblem(only('{{d:дата}}'), '2028-02-29')).toBeNull()
  expect(valueProblem(only('{{t:выбор=а|б}}'), 'в')).toContain('вариант')
})

const word = fc.stringMatching(/^[а-яё]{1,8}$/)
const anyText = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom('{', '}', '{{', '}}', '\\', 'а', ':', '=', '|', '\n', ' ')).map((parts) => parts.join('')),
)

test('a value with braces is inserted unchanged and not parsed again (S10.136)', () => {
  fc.assert(
    fc.property(word, word, anyText, (name, other, value) => {
      const filled = fillPrompt(`[{{${name}}}] конец`, values({ [other]: 'НЕТ', [name.replaceAll('ё', 'е')]: value }))
      expect(filled).toBe(`[${value.trim()}] конец`)
    }),
  )
})

test('for any text the joined parts are the text again', () => {
  fc.assert(
    fc.property(anyText, (content) => {
      const { parts, variables, problems } = parsePrompt(content)
      for (const part of parts) {
        if (part.type === 'variable') expect(variables.some(({ key }) => key === part.key)).toBe(true)
      }
      if (parts.every(({ type }) => type === 'text')) {
        const together = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
        expect(together).toBe(content.replace(/\\(?=\{\{[^{}\n]{1,500}\}\})/g, ''))
      }
      for (const { source } of problems) expect(content).toContain(source)
    }),
    { numRuns: 500 },
  )
})

test('the initial value is valid unless the variable is required', () => {
  const text = fc.constantFrom('{{а}}', '{{б=x}}', '{{в:число=5}}', '{{г:дата=сегодня}}', '{{д:выбор=1|2}}', '{{е=}}')
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const { variables } = parsePrompt(texts.join(' '))
      const begin = initialValues(variables, '2026-11-15')
      for (const variable of variables) {
        const problem = valueProblem(variable, begin.get(variable.key) ?? '')
        expect(problem === null).toBe(variable.initial !== null)
      }
    }),
  )
})
