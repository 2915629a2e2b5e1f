import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuMs } from '#server/testing/cpu-time.ts'
import { headingOf } from './blocks.ts'
import { cutPassages, type PassageDraft, passageHeading } from './passages.ts'

const cut = (content: string, pages: { name: string; offset: number }[] = []) =>
  cutPassages({ name: 'a.txt', content, pages })
const sentence = (n: number) => `Это предложение под номером ${n} говорит о сроках и ценах поставки.`
const prose = (count: number, from = 0) => Array.from({ length: count }, (_, n) => sentence(from + n)).join(' ')
const characters = (text: string) => text.replace(/\s+/g, '')
const own = ({ text, lead }: PassageDraft) => text.slice(lead)

describe('by structure', () => {
  test('a short text is a single passage', () => {
    expect(cut('Купить хлеб')).toEqual([{ position: 0, place: null, section: null, lead: 0, text: 'Купить хлеб' }])
  })

  test('a heading begins a passage, and passages have their headings', () => {
    const passages = cut(`# Договор\n\n${prose(20)}\n\n## Сроки\n\n${prose(40)}\n\n## Цена\n\n${prose(15)}`)
    expect(passages[0]?.section).toBe('Договор')
    expect(passages.find(({ text }) => text.includes('## Сроки'))?.text).toMatch(/^## Сроки/)
    expect(passages.filter(({ section }) => section === 'Договор › Сроки').length).toBeGreaterThan(1)
    expect(passages.at(-1)?.section).toBe('Договор › Цена')
  })

  test('small sections share a passage', () => {
    expect(cut('# Один\n\nРаз.\n\n# Два\n\nДва.')).toHaveLength(1)
  })

  test('a passage inside a long section repeats the previous passage’s end', () => {
    const [first, second] = cut(prose(60))
    expect(second?.lead).toBeGreaterThanOrEqual(100)
    expect(second?.lead).toBeLessThanOrEqual(250)
    expect(first?.text.replace(/\s+$/, '')).toContain(second?.text.slice(0, second.lead).trim())
    expect(second?.text).toMatch(/^Это предложение/)
  })

  test('a table has its header in every passage, with whole rows', () => {
    const rows = Array.from({ length: 400 }, (_, n) => `Товар ${n}\t${n * 10} руб.\tшт.`)
    const passages = cut(`## Лист «Цены»\n\nНаименование\tЦена\tЕдиница\n${rows.join('\n')}`, [
      { name: 'лист «Цены»', offset: 0 },
    ])
    expect(passages.length).toBeGreaterThan(3)
    for (const { text, place, section } of passages) {
      expect(text).toContain('Наименование\tЦена\tЕдиница\n')
      expect([place, section]).toEqual(['лист «Цены»', 'Лист «Цены»'])
    }
    const found = passages.flatMap((passage) =>
      own(passage)
        .split('\n')
        .filter((line) => line.startsWith('Товар ')),
    )
    expect(found).toEqual(rows)
  })

  test('a Markdown table keeps both lines of its header', () => {
    const rows = Array.from({ length: 120 }, (_, n) => `| Товар ${n} | ${n * 10} рублей |`)
    const passages = cut(`| Имя | Цена |\n| --- | --- |\n${rows.join('\n')}`)
    expect(passages.length).toBeGreaterThan(1)
    for (const { text } of passages) expect(text).toMatch(/^\| Имя \| Цена \|\n\| --- \| --- \|\n/)
  })

  test('sheets never share a passage, short pages do', () => {
    const sheets = '## Лист «А»\n\nа\tб\n\n## Лист «Б»\n\nв\tг'
    const at = sheets.indexOf('## Лист «Б»')
    expect(
      cut(sheets, [
        { name: 'лист «А»', offset: 0 },
        { name: 'лист «Б»', offset: at },
      ]).map(({ place }) => place),
    ).toEqual(['лист «А»', 'лист «Б»'])
    const pages = ['Первая.', 'Вторая.', prose(30)]
    let offset = 0
    const places = pages.map((text, n) => {
      const page = { name: `стр. ${n + 1}`, offset }
      offset += text.length + 2
      return page
    })
    const passages = cut(pages.join('\n\n'), places)
    expect(passages[0]?.place).toBe('стр. 1–3')
    expect(passages[1]?.place).toBe('стр. 3')
  })

  test('a sentence across a page break belongs to both pages', () => {
    const first = `${prose(16)} Срок поставки`
    const content = `${first}\n\nсоставляет десять дней. ${prose(16)}`
    const [, second] = cut(content, [
      { name: 'стр. 1', offset: 0 },
      { name: 'стр. 2', offset: first.length + 2 },
    ])
    expect(second?.place).toBe('стр. 2')
    expect(second?.text).toMatch(/Срок поставки\s+составляет десять дней/)
  })

  test('a file of spaces has no passages', () => {
    expect(cut('\n \n\n')).toEqual([])
  })
})

describe('a heading', () => {
  test.each([
    ['## Условия оплаты', 2, 'Условия оплаты'],
    ['РАЗДЕЛ 3. Оплата', 1, 'РАЗДЕЛ 3. Оплата'],
    ['Глава IV', 1, 'Глава IV'],
    ['Статья 12. Отпуск', 2, 'Статья 12. Отпуск'],
    ['3. Порядок расчётов', 2, '3. Порядок расчётов'],
    ['3.2. Порядок приёмки товара', 3, '3.2. Порядок приёмки товара'],
    ['ПРАВИЛА ПОЖАРНОЙ БЕЗОПАСНОСТИ', 1, 'ПРАВИЛА ПОЖАРНОЙ БЕЗОПАСНОСТИ'],
    ['Приложение А', 1, 'Приложение А'],
  ])('%s', (line, level, title) => {
    expect(headingOf(line, '', 'Дальше идёт текст.')).toEqual({ level, title })
  })

  test.each([
    ['a sentence', 'Покупатель платит в срок.', ''],
    ['a clause', '3.2. Покупатель платит в течение десяти дней.', ''],
    ['an item of a list', '1. Молоко', '2. Хлеб'],
    ['an abbreviation', 'ООО', ''],
    ['a number', '12 500,00', ''],
    ['a row', 'ИТОГО\tСУММА ЗА ГОД', ''],
    ['a line before a list', 'Нужно взять:', '- паспорт'],
    ['a mention', 'статья 12 не применяется.', ''],
  ])('%s is not a heading', (_, line, after) => {
    expect(headingOf(line, '', after)).toBeNull()
  })
})

test('a passage is named by its file, page and section', () => {
  expect(passageHeading({ fileName: 'Договор.pdf', place: 'стр. 4', section: 'Сроки' })).toBe(
    'Файл «Договор.pdf», стр. 4, раздел «Сроки»',
  )
  expect(passageHeading({ fileName: 'a.txt', place: null, section: null })).toBe('Файл «a.txt»')
})

describe('for any text', () => {
  const word = fc.stringMatching(/^[а-яА-Яa-z0-9ё😀.,!-]{1,14}$/u)
  const line = fc.oneof(
    { weight: 6, arbitrary: fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(' ')) },
    { weight: 2, arbitrary: fc.array(word, { minLength: 2, maxLength: 8 }).map((words) => words.join('\t')) },
    { weight: 2, arbitrary: fc.constantFrom('', '', '# Глава', '3.1. Раздел о сроках', 'ВАЖНЫЕ УСЛОВИЯ', '```') },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 9000 }).map((length) => 'ъ'.repeat(length)) },
  )
  const text = fc.array(line, { maxLength: 80 }).map((lines) => lines.join('\n'))
  const paged = fc.tuple(text, fc.array(fc.nat(6000), { maxLength: 6 })).map(([content, raw]) => ({
    content,
    pages: [...new Set(raw)]
      .filter((offset) => offset < content.length && !/[\ud800-\udbff]/.test(content[offset - 1] ?? ''))
      .sort((a, b) => a - b)
      .map((offset, n) => ({ name: `стр. ${n + 1}`, offset })),
  }))

  test('passages cover the text in order, and only their leads repeat it', () => {
    fc.assert(
      fc.property(paged, ({ content, pages }) => {
        const passages = cut(content, pages)
        expect(characters(passages.map(own).join(' '))).toBe(characters(content))
        expect(passages.map(({ position }) => position)).toEqual(passages.map((_, n) => n))
      }),
    )
  })

  test('no passage is empty or much larger than the limit', () => {
    fc.assert(
      fc.property(paged, ({ content, pages }) => {
        for (const passage of cut(content, pages)) {
          expect(own(passage).trim()).not.toBe('')
          expect(own(passage).length).toBeLessThanOrEqual(passage.text.includes('\t') ? 4600 : 1800)
          expect(passage.lead).toBeLessThanOrEqual(601)
        }
      }),
    )
  })

  test('no row of a table is cut', () => {
    const row = fc.array(word, { minLength: 2, maxLength: 12 }).map((words) => words.join('\t'))
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 150 }), (rows) => {
        const lines = cut(rows.join('\n')).flatMap((passage) => own(passage).split('\n'))
        expect(lines).toEqual(rows)
      }),
    )
  })

  test('two million symbols are cut quickly', async () => {
    const content = `${prose(20_000)}\n\n${'а\tб\n'.repeat(100_000)}`
    // It takes less than a second; work that grows with the square of the length would take minutes.
    expect(await cpuMs(() => expect(cut(content).length).toBeGreaterThan(900))).toBeLessThan(20_000)
  })
})
