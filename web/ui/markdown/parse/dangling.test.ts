import { describe, expect, test } from 'vitest'
import { closeDangling } from './dangling.ts'
import { PENDING } from './dangling-inline.ts'

/** Each case: the text so far, and the Markdown that is shown for it. */
function shows(cases: Record<string, string>) {
  for (const [source, shown] of Object.entries(cases)) expect(closeDangling(source), source).toBe(shown)
}

test('complete text stays unchanged', () => {
  const whole = [
    '',
    'Текст. ',
    '**жирный** и *курсив*, `код`, ~~нет~~',
    '[ссылка](https://example.com) и ![кот](https://example.com/cat.png)',
    'snake_case и 2 * 3 * 4, цена $5 и ~10',
    '- пункт\n- ещё',
    '```js\nconst a = "**"\n```\n',
    'Привет!',
    'Список [1] и [^1] здесь',
  ]
  for (const text of whole) expect(closeDangling(text)).toBe(text)
})

test('emphasis is closed, and a marker without text is hidden', () => {
  shows({
    '**жир': '**жир**',
    '**жирный ': '**жирный**',
    '**жирный*': '**жирный**',
    'раз *курс': 'раз *курс*',
    'раз _курс': 'раз _курс_',
    '~~зачёрк': '~~зачёрк~~',
    '**жирный и *курсив': '**жирный и *курсив***',
    '***оба': '***оба***',
    'раз **': 'раз ',
    'раз *': 'раз ',
    '2 * 3': '2 * 3',
    snake_case: 'snake_case',
  })
})

test('code is closed with its own number of signs', () => {
  shows({
    'вот `код': 'вот `код`',
    'вот ``ко`д': 'вот ``ко`д``',
    'вот ``код`': 'вот ``код``',
    'вот `': 'вот ',
    '**жирный `код': '**жирный `код`**',
    '`**не жирный': '`**не жирный`',
  })
})

test('an unfinished link shows only its name, an unfinished picture nothing', () => {
  shows({
    'см. [имя': 'см. имя',
    'см. [имя]': 'см. имя',
    'см. [имя](': 'см. имя',
    'см. [имя](htt': 'см. имя',
    'см. [имя](https://example.com "Заг': 'см. имя',
    'см. [имя](https://example.com)': 'см. [имя](https://example.com)',
    'см. [имя][спр': 'см. имя',
    '[**жирное** имя](htt': '**жирное** имя',
    'вот ![кот': 'вот ',
    'вот ![кот](htt': 'вот ',
    'факт[^1': 'факт',
    'скобка [ и дальше\nтекст': 'скобка [ и дальше\nтекст',
    'не ссылка [a](просто текст': 'не ссылка [a](просто текст',
  })
})

test('a formula that is being written is marked as such', () => {
  shows({
    'пусть $x^2 + ': `пусть $x^2 +${PENDING}$`,
    'пусть \\(E = mc': `пусть \\(E = mc${PENDING}\\)`,
    'пусть $$\\frac{1}': `пусть $$\\frac{1}${PENDING}$$`,
    'пусть $\\alpha\\': `пусть $\\alpha${PENDING}$`,
    'цена $5 и': 'цена $5 и',
    '$x^2$ готово': '$x^2$ готово',
    'и \\(': 'и ',
  })
})

test('an open fence is code without its half closing line', () => {
  shows({
    '```js\nconst a = 1': '```js\nconst a = 1',
    '```js\nconst a = 1\n``': '```js\nconst a = 1\n',
    '```js\n**a': '```js\n**a',
    '~~~~\na\n~~~': '~~~~\na\n',
    '1. шаг\n   ```sh\n   echo `a': '1. шаг\n   ```sh\n   echo `a',
    '$$\n\\frac{1': '$$\n\\frac{1',
    '$$\nx\n$': '$$\nx\n',
    '```js\na\n```\n\n**б': '```js\na\n```\n\n**б**',
  })
})

test('an ambiguous last line is not shown', () => {
  shows({
    'Абзац\n-': 'Абзац',
    'Абзац\n--': 'Абзац',
    'Абзац\n=': 'Абзац',
    'Абзац\n\n#': 'Абзац\n',
    'Абзац\n\n1': 'Абзац\n',
    'Абзац\n\n1.': 'Абзац\n',
    '- раз\n- ': '- раз',
    '- раз\n- [': '- раз',
    '- раз\n- [ ]': '- раз',
    'Абзац\n\n``': 'Абзац\n',
    'Абзац\n\n**': 'Абзац\n',
    'Абзац\n\n1945 год': 'Абзац\n\n1945 год',
  })
})

describe('a table', () => {
  test('is a table from its first line', () => {
    shows({
      '| Имя': '| Имя\n|-|',
      '| Имя | Цена |': '| Имя | Цена |\n|-|-|',
      '| Имя | **Це': '| Имя | **Це**\n|-|-|',
      '| Имя | Цена |\n|': '| Имя | Цена |\n|-|-|',
      '| Имя | Цена |\n|--': '| Имя | Цена |\n|-|-|',
      '| Имя | Цена |\n|---|--': '| Имя | Цена |\n|---|--',
      '> | Имя |': '> | Имя |\n> |-|',
    })
  })

  test('closes only its last cell', () => {
    const head = '| a | b |\n|---|---|\n'
    shows({
      [`${head}| **x | y`]: `${head}| **x | y`,
      [`${head}| x | **y`]: `${head}| x | **y**`,
      [`${head}| x | строка<b`]: `${head}| x | строка`,
    })
  })
})

test('only the last paragraph, item or row is completed', () => {
  shows({
    '**раз\n\nдва **три': '**раз\n\nдва **три**',
    '- **раз\n- *два': '- **раз\n- *два*',
    '# **Раз\nдва `три': '# **Раз\nдва `три`',
  })
})
