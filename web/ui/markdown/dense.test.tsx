import { flushSync } from 'react-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isTooDense } from './parse/markup-cost.ts'
import { type AnswerView, openAnswer } from './testing/answer-view.tsx'

let shown: AnswerView
beforeEach(() => {
  shown = openAnswer()
})
afterEach(() => shown.remove())
const count = (selector: string) => shown.element.querySelectorAll(selector).length

const table = (columns: number, row: string, rows: number) =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${`${row}\n`.repeat(rows)}`

test('a text that would hold up the page is shown plain (S10.1264)', () => {
  const text = '> - > - > - a\n'.repeat(1000)
  shown.show(text)
  expect(shown.element.textContent).toBe(
    `В этом тексте слишком много разметки, поэтому он показан без оформления.${text}`,
  )
  expect(count('*')).toBeLessThan(5)
})

test('ordinary texts of any length are parsed (S10.1264)', () => {
  const paragraph = 'Как **сменить** [пароль](/help): откройте `Профиль` и «Безопасность».\n\n'
  const code = `\`\`\`ts\n${'const list = [...items].map((item) => item.name)\n'.repeat(1500)}\`\`\`\n`
  const list = '- Пункт списка с **важным** словом и объяснением на строку.\n'.repeat(400)
  const cells = table(6, '| Чай | 120 | 3 | 360 | да | нет |', 400)
  for (const text of [paragraph.repeat(1300), code, list, cells]) expect(isTooDense(text.slice(0, 100_000))).toBe(false)
})

test('a row has one cell for all that it lacks (S10.1264)', () => {
  shown.show(table(90, 'b', 40))
  expect(count('tbody tr')).toBe(40)
  expect(count('tbody td')).toBe(80)
  expect(shown.element.querySelector('tbody td + td')?.getAttribute('colspan')).toBe('89')
  expect(count('.cut-table')).toBe(0)
})

test('a large table says what is left out and copies whole (S10.1264)', async () => {
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  shown.show(table(120, '|b|**c**|', 100))
  expect([count('tbody tr'), count('th')]).toEqual([50, 100])
  expect(shown.element.querySelector('.cut-table')?.textContent).toBe(
    'Таблица показана не вся: строк 50 из 100, столбцов 100 из 120. Скопировать всю таблицу',
  )
  flushSync(() => shown.element.querySelector<HTMLElement>('.cut-table button')?.click())
  const copied = `${Array(120).fill('a').join('\t')}\n${Array(100).fill('b\tc').join('\n')}`
  await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith(copied))
  vi.unstubAllGlobals()
})

test('a long address is not written at each of its references (S10.1264)', () => {
  const address = `https://example.com/${'x'.repeat(2000)}`
  shown.show(`[a]: ${address}\n[b]: https://example.com\n\n[a] [b] [прямо](${address})`)
  expect(count('a')).toBe(2)
  expect(shown.element.textContent).toBe('a b прямо')
})
