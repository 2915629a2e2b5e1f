import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { advanceSplit, splitText } from './split.ts'
import type { SplitText } from './types.ts'

/** The text of a node as the reader sees it. */
function textOf(node: Nodes): string {
  if (node.type === 'html') return node.value
  if ('value' in node) return node.value.replaceAll('\uE000', '')
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

const kindOf = ({ type, ...rest }: Nodes) => ('note' in rest ? 'note' : 'depth' in rest ? `h${rest.depth}` : type)
const kindsOf = ({ blocks }: SplitText) => blocks.map(({ node }) => kindOf(node)).join(' ')
const shownIn = ({ blocks }: SplitText) => blocks.map(({ node }) => textOf(node).trim()).join('\n')

/** Streams a text character by character. `kinds` are those of the blocks, each time that they changed. */
function stream(text: string) {
  const texts: string[] = []
  const kinds: string[] = []
  let split = splitText('', true)
  for (let end = 1; end <= text.length; end += 1) {
    split = advanceSplit(split, text.slice(0, end), true)
    texts.push(shownIn(split))
    if (kinds.at(-1) !== kindsOf(split)) kinds.push(kindsOf(split))
  }
  const jumps = texts.filter((shown, i) => i > 0 && !shown.startsWith((texts[i - 1] ?? '').trimEnd()))
  return { texts, kinds: kinds.filter(Boolean), jumps, split: advanceSplit(split, text, false) }
}

describe('a paragraph above a list never looks like a heading', () => {
  test.each(['- **b**', '- *i*', '- `c`', '- _i_', '- b', '- [l](/u)', '- ![i](/u)', '- \\(x\\)', '- <sub>2</sub>'])(
    'foods: %s (S10.650)',
    (item) => {
      for (const text of [`foods:\n${item}`, `> foods:\n> ${item}`, `1. foods:\n   ${item}`]) {
        const seen = JSON.stringify(stream(text).kinds)
        expect(seen).not.toMatch(/h[12]/)
      }
    },
  )

  test('also inside list items (S10.650)', () => {
    let split = splitText('', true)
    const text = '- a\n  - **b**\n- c'
    for (let end = 1; end <= text.length; end += 1) {
      split = advanceSplit(split, text.slice(0, end), true)
      expect(JSON.stringify(split.blocks)).not.toContain('"heading"')
    }
  })

  test('but an underline counts when its line is complete (S10.650)', () => {
    expect(stream('Заголовок\n===\n').kinds).toEqual(['paragraph', 'h1'])
    expect(stream('Заголовок\n---\n').kinds).toEqual(['paragraph', 'h2'])
    expect(stream('Заголовок\n=').kinds).toEqual(['paragraph'])
  })
})

describe('the shown text only grows', () => {
  test.each([
    'x = [1, 2, 3] и дальше',
    'список [1, 2, 3, 4, 5, 6, 7] длинный',
    'элемент list[0] и list[i]',
    'точка [x, y] на плоскости',
    'факт [1] и факт [2, 3].',
    'см. [имя](https://example.com) дальше',
    'H<sub>2</sub>O и x<sup>2</sup>.',
    'строка<br>вторая',
    '**Важно:**это',
    '**«слово»**дальше',
    '** текст ** дальше',
    '2 ** 3 ** 4',
    'цена $5 и $10, $100-$200',
    '- > 25: expensive\n- > 5: cheap',
    '> [!NOTE]\n> Сначала **копия**.',
    '> [!TIP] Сразу текст',
    'переменные $HOME и $PATH',
  ])('%j', (text) => expect(stream(text).jumps).toEqual([]))

  test.each([
    ['пусть $x^2 + y$ и', 'пусть x^2 + y и'],
    ['длина 2$\\pi$ м', 'длина 2\\pi м'],
    ['площадь м$^2$ и', 'площадь м^2 и'],
    ['вода $\\ce{H2O}$ и', 'вода \\ce{H2O} и'],
    ['\\begin{align}\na &= b\n\\end{align}\n', '\\begin{align}\na &= b\n\\end{align}'],
    ['$$ f = ma $$\n', 'f = ma'],
  ])('%j is a formula without a flash of its delimiters (S10.650)', (text, shown) => {
    const { texts, jumps, split } = stream(text)
    expect(texts.filter((seen) => seen.includes('$'))).toEqual([])
    expect(jumps).toEqual([])
    expect(shownIn(split)).toBe(shown)
  })
})

test('brackets stay while they are open (S10.650)', () => {
  const seen = (text: string, part: string) => stream(text).texts.filter((shown) => shown.includes(part))
  expect(seen('интервал $[-1; 1)$', '-1').every((shown) => shown.includes('[-1'))).toBe(true)
  expect(seen('x = [1, 2', '1').at(-1)).toBe('x = [1, 2')
})

test('a note is known early, and a comparison is never a quote (S10.650)', () => {
  expect(stream('> [!WARNING]\n> Ток').kinds).toEqual(['note'])
  let split = splitText('', true)
  for (const end of [3, 4, 6, 12]) {
    split = advanceSplit(split, '- > 25: дорого'.slice(0, end), true)
    expect(JSON.stringify(split.blocks)).not.toContain('blockquote')
  }
})

test('prose after an unclosed formula soon becomes a paragraph (S10.652)', () => {
  expect(stream('$$\nx\n\\]\n\nПроза и ещё слова.').kinds).toEqual(['formulaBlock', 'formulaBlock paragraph'])
  const { kinds, split } = stream('$$\nx = 1\n\nПроза и ещё слова.')
  expect(kinds).toEqual(['formulaBlock', 'formulaBlock paragraph'])
  expect(shownIn(split)).toBe('x = 1\nПроза и ещё слова.')
})
