import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { parseAnswer } from './parse-answer.ts'

/** The formulas that a text holds, as they were read. */
function formulasIn(text: string): string[] {
  const found: string[] = []
  const walk = (node: Nodes) => {
    if (node.type === 'formula') found.push(node.isDisplay ? `[${node.value}]` : node.value)
    if (node.type === 'formulaBlock') found.push(`[[${node.value}]]${node.rest}`)
    if ('children' in node) node.children.forEach(walk)
  }
  parseAnswer(text).forEach(walk)
  return found
}

describe('money and variables are no formulas', () => {
  test.each([
    'от $5 до $10',
    '$5 и $10',
    '$5/$10 и $1,500.00–$2,000',
    'стоит 5$ или 10$',
    'стоит 5$, 10$; ещё 15$.',
    '$20 в месяц, а годовая — $200 (экономия $40)',
    '$5 (это 450 ₽, а не 500$)',
    'US$5 и A$7',
    '$100 and 200$ more',
    'рестораны: $$ — средне, $$$ — дорого',
    '$HOME и $PATH',
    '$HOME/$PATH/bin',
    'echo "$name costs $price"',
    '\\$5 и \\$6',
    '`$x^2$` и `\\(y\\)`',
    '```\n$$\nx\n$$\n```',
    'скобки \\(как слова\\) и \\[1\\] Иванов',
    '\\[1\\]\n\\[2\\] Петров И. И.',
    '$ 5 и $ 6',
    '$100-$200',
    '$ 5 - $ 6',
    'cost $ 5 or $ 6 each',
    'в строке $ ls -l $ cd и $ npm $ run',
    'has $x\ny$ which',
    'set $FOO_BAR\nand BAZ$ here',
    'путь \\\\srv\\C$\\Users\\D$\\x',
    'US$5, A$7 и 3$ за x$y',
    '$HOME/bin:$PATH',
    '\\[\\\\\\] и \\(\\)',
    '$$\nПроза, которая не формула, и ещё слова.',
  ])('%s (S10.651)', (text) => expect(formulasIn(text)).toEqual([]))
})

describe('formulas are', () => {
  test.each([
    ['$x^2$', ['x^2']],
    ['$x$, $AB$ и $n$-й', ['x', 'AB', 'n']],
    ['$a + b$ и $2x - 3$', ['a + b', '2x - 3']],
    ['$sin x$', ['sin x']],
    ['$5\\%$ от $100$', ['5\\%', '100']],
    ['$5 и $x^2$', ['x^2']],
    ['$v = 10 м/с$', ['v = 10 м/с']],
    ['$v_{ср}$', ['v_{ср}']],
    ['($x_1$; $x_2$)', ['x_1', 'x_2']],
    ['$ \\frac{1}{2} $', ['\\frac{1}{2}']],
    ['\\(E = mc^2\\)', ['E = mc^2']],
    ['текст \\[ a = b \\] текст', ['[a = b]']],
    ['текст $$x^2$$ текст', ['[x^2]']],
    ['**$x^2$** и [$y_1$](https://example.com)', ['x^2', 'y_1']],
    ['$ a $, $ b $', ['a', 'b']],
    ['$ a + b $ и $ 2 + 2 = 4 $', ['a + b', '2 + 2 = 4']],
    ['$(p + rc)$', ['(p + rc)']],
    ['длина 2$\\pi$ и 2$\\pi r$', ['\\pi', '\\pi r']],
    ['5 м$^2$, $^{14}$C', ['^2', '^{14}']],
    ['$ P = 0{,}1 \\text{Вт} $', ['P = 0{,}1 \\text{Вт}']],
    ['$\\ce{H2O}$', ['\\ce{H2O}']],
    ['$\\frac{1}{2} +\n\\frac{1}{3}$', ['\\frac{1}{2} +\n\\frac{1}{3}']],
    ['| a | b |\n|---|---|\n| $x_1$ | $y_2$ |', ['x_1', 'y_2']],
  ])('%s', (text, formulas) => expect(formulasIn(text)).toEqual(formulas))
})

describe('formulas on separate lines', () => {
  test.each([
    ['$$\nx\n$$', ['[[x]]']],
    ['$$\nx\n\ny\n$$', ['[[x\n\ny]]']],
    ['$$ x^2 $$', ['[[x^2]]']],
    ['$$ x =\n+ y $$', ['[[x =\n+ y]]']],
    ['\\[\na\n+ b\n- c\n\\]', ['[[a\n+ b\n- c]]']],
    ['\\[ a = b \\].', ['[[a = b]].']],
    ['текст\n\\[\nx\n\\]\nтекст', ['[[x]]']],
    ['> $$\n> x\n> $$', ['[[x]]']],
    ['- пункт\n\n  $$\n  x\n  $$', ['[[x]]']],
    ['\\[\nx\n\nабзац', ['[[x]]']],
    ['$$\nx\n\\]\n\nПроза', ['[[x]]']],
    ['$$\nx^2 \\].\nПроза', ['[[x^2]].']],
    ['\\[\nx\n$$\n\nПроза', ['[[x]]']],
    ['$$\nx = 1\n\nгде $x$ — число.', ['[[x = 1]]', 'x']],
    ['$$\nx = 1\n## Заголовок', ['[[x = 1]]']],
    [
      '$$\n\\text{если это правда} \\\\\nскорость = путь / время\n$$',
      ['[[\\text{если это правда} \\\\\nскорость = путь / время]]'],
    ],
    ['\\begin{align}\na &= b\n\\end{align}', ['[[\\begin{align}\na &= b\n\\end{align}]]']],
    ['текст:\n\\begin{cases} x \\\\ y \\end{cases}.', ['[[\\begin{cases} x \\\\ y \\end{cases}]].']],
    ['\\begin{align}\na\n\nабзац', ['[[\\begin{align}\na]]']],
    ['\\begin{itemize} — окружение для списков', []],
    ['\\begin{align} — окружение для формул', []],
  ])('%j', (text, formulas) => expect(formulasIn(text)).toEqual(formulas))

  test('a paragraph after an unclosed bracket stays a paragraph', () => {
    expect(parseAnswer('\\[\nx\n\nабзац').at(-1)).toMatchObject({ type: 'paragraph', children: [{ value: 'абзац' }] })
  })

  test('mixed and missing delimiters do not swallow the rest of the answer (S10.652)', () => {
    for (const text of ['$$\nx\n\\]\n\nПроза и слова.', '\\[\nx\n$$\n\nПроза и слова.', '$$\nx\n\nПроза и слова.'])
      expect(parseAnswer(text).at(-1)).toMatchObject({ type: 'paragraph', children: [{ value: 'Проза и слова.' }] })
  })
})
