import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replaceMatches } from './pattern.ts'
import { chatOf, gptChat, gptMessage, shownLine } from './testing/fixtures.ts'

const MANY = 1_000_000

function replaced(text: string, pattern: string, replacement: string, isMultiple = false, left = MANY) {
  return replaceMatches(text, { pattern, replacement, isMultiple }, MANY, { left })
}

test.each([
  ['Шаг 1\nШаг 2', '.*', 'Всё заново', 'Всё заново'],
  ['Шаг 1\nШаг 2', 'Шаг 2', 'Шаг 3', 'Шаг 1\nШаг 3'],
  ['цена (100)', '\\(100\\)', '[200]', 'цена [200]'],
  ['## Итог\nстарое\n## Далее', '## Итог\\n.*?(?=## Далее)', 'x', null],
  ['## Итог\nстарое\n## Далее', '(## Итог\\n).*?(\\n## Далее)', '\\1новое\\2', '## Итог\nновое\n## Далее'],
  ['a1b22', '(?P<n>[0-9]+)', '<\\g<n>>', 'a<1>b22'],
  ['один  два', '\\s{2,}', ' ', 'один два'],
  ['кот', 'к(?:о|и)т|пёс', 'зверь', 'зверь'],
  ['aaa', 'a{2}', 'b', 'ba'],
  ['а\nб', '^б$', 'в', 'а\nв'],
  ['текст', 'нет', 'x', null],
  ['aa', '(a)\\1', 'x', null],
  ['a', '(', 'x', null],
  ['a', 'a**', 'x', null],
])('in %j the pattern %j becomes %j (S10.814)', (text, pattern, replacement, expected) => {
  expect(replaced(text, pattern, replacement)).toBe(expected)
})

test('all matches are replaced when the edit says so (S10.814)', () => {
  expect(replaced('раз и два и три', ' и ', ', ', true)).toBe('раз, два, три')
  expect(replaced('строка\nещё', '.*', 'новая', true)).toBe('новая')
})

test('no pattern takes more steps than it may (S10.815)', () => {
  const steps = { left: 200_000 }
  const edit = { pattern: '(a+)+(a|aa)*[^b]{900}$', replacement: '', isMultiple: true }
  expect(replaceMatches(`${'a'.repeat(50_000)}b`, edit, MANY, steps)).toBeNull()
  // It is looked at once for each symbol, so the end may be passed by the ways that one symbol has.
  expect(steps.left).toBeGreaterThan(-20_000)
  expect(replaced('a'.repeat(100), 'a', 'a'.repeat(20_000), true)).toBeNull()
})

test('simple patterns find what the engine of this language finds (S10.814)', () => {
  const part = fc.constantFrom('a', 'b', 'a*', 'b+?', '[ab]', '(a|b)', 'a?', '.', '(?:ab)*', 'a{1,2}', '(b+)')
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.stringMatching(/^[abc]{0,12}$/), (parts, text) => {
      const pattern = parts.join('')
      const expected = new RegExp(pattern, 's').test(text) ? text.replace(new RegExp(pattern, 's'), '<$&>') : null
      expect(replaced(text, pattern, '<\\g<0>>')).toBe(expected)
    }),
    { numRuns: 2000 },
  )
})

const create = (content: string, kind = 'document') =>
  gptMessage('assistant', JSON.stringify({ name: 'план_работ', type: kind, content }), {
    recipient: 'canmore.create_textdoc',
  })
const update = (...updates: [pattern: string, replacement: string][]) =>
  gptMessage(
    'assistant',
    JSON.stringify({ updates: updates.map(([pattern, replacement]) => ({ pattern, replacement, multiple: false })) }),
    { recipient: 'canmore.update_textdoc' },
  )
const done = (canvas: object) => gptMessage('tool', 'Successfully updated', { metadata: { canvas } })

test('an edited canvas is shown with its whole text and title (S10.814)', () => {
  const chat = chatOf(
    gptChat('c', {
      q: { parent: null, role: 'user', text: 'План' },
      made: { parent: 'q', message: create('Шаг 1\nШаг 2') },
      ok: { parent: 'made', message: done({ textdoc_id: 'd', title: 'План' }) },
      q2: { parent: 'ok', role: 'user', text: 'Ещё шаг' },
      one: { parent: 'q2', message: update(['Шаг 2', 'Шаг 2\nШаг 3']) },
      ok2: { parent: 'one', message: done({ textdoc_id: 'd' }) },
      two: { parent: 'ok2', message: update(['Шаг 1', 'Начало']) },
      ok3: { parent: 'two', message: done({ textdoc_id: 'd', title: 'Новый план' }) },
      a: { parent: 'ok3', role: 'assistant', text: 'Готово' },
    }),
  )
  expect(shownLine(chat)).toEqual([
    'user: План',
    'assistant: **План**\n\nШаг 1\nШаг 2',
    'user: Ещё шаг',
    'assistant: **Новый план**\n\nНачало\nШаг 2\nШаг 3\n\nГотово',
  ])
})

test('branches edit the text of their own branch (S10.814)', () => {
  const chat = chatOf(
    gptChat('c', {
      q: { parent: null, role: 'user', text: 'Код' },
      made: { parent: 'q', message: create('x = 1', 'code/python') },
      q2: { parent: 'made', role: 'user', text: 'Иначе' },
      left: { parent: 'q2', message: update(['1', '2']) },
      right: { parent: 'q2', message: update(['x', 'y']) },
    }),
  )
  const shown = chat.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
  expect(shown).toEqual(['x = 1', 'x = 2', 'y = 1'].map((text) => `**план работ**\n\n\`\`\`python\n${text}\n\`\`\``))
})

test('an edit that cannot be applied shows its words (S10.815)', () => {
  const chat = chatOf(
    gptChat('c', {
      q: { parent: null, role: 'user', text: 'План' },
      made: { parent: 'q', message: create('Шаг 1') },
      missed: { parent: 'made', message: update(['(?<=нет)чего', 'Слова']) },
      failed: { parent: 'missed', message: update(['.*', 'Не принято']) },
      no: { parent: 'failed', message: done({ is_failure: true }) },
      q2: { parent: 'no', role: 'user', text: 'Заново' },
      later: { parent: 'q2', message: update(['Шаг', 'Этап']) },
      whole: { parent: 'later', message: update(['.*', 'Всё иначе']) },
    }),
  )
  expect(shownLine(chat)).toEqual([
    'user: План',
    'assistant: **план работ**\n\nШаг 1\n\n**Правка: план работ**\n\nСлова\n\n**Правка: план работ**\n\nНе принято',
    'user: Заново',
    'assistant: **Правка: план работ**\n\nЭтап\n\n**план работ**\n\nВсё иначе',
  ])
})
