import { describe, expect, test } from 'vitest'
import { joinWords, wordRule } from '../hyphens.ts'
import { readPdf } from '../read-pdf.ts'
import { LOCKED } from '../rejections.ts'
import { firstFreeObject, makeDrawnPdf, textAt } from '../testing/make-pdf.ts'

const read = (pdf: Buffer) => readPdf(new Uint8Array(pdf), () => {})
const text = async (pdf: Buffer) => (await read(pdf)).content
const page = (...parts: string[]) => `BT /F1 10 Tf ${parts.join('')} ET`
const lines = (x: number, top: number, words: string[]) =>
  words.map((word, at) => textAt(x, top - at * 12, word)).join('')

describe('words cut by a line end (S10.731)', () => {
  test('are whole in a PDF, also across pages', async () => {
    const first = page(lines(72, 700, ['Действие первой сце-', 'ны начинается у до-', 'ма, и кто-', 'то идёт по-']))
    expect(await text(makeDrawnPdf([first, page(lines(72, 700, ['ка ещё не ве-', 'чер']))]))).toBe(
      'Действие первой сцены\nначинается у дома,\nи кто-то\nидёт пока\n\nещё не вечер'.replace('пока', 'по-ка'),
    )
  })

  const join = (...given: string[]) => joinWords(given, wordRule(given))
  test.each([
    ['a hyphen of the line end', ['пере-', 'нос строки'], ['перенос', 'строки']],
    ['a particle', ['какой-', 'нибудь день'], ['какой-нибудь', 'день']],
    ['an adverb', ['говорит по-', 'русски'], ['говорит по-русски']],
    ['a soft hyphen', ['пере\u00ad', 'нос'], ['перенос']],
    ['a word that stands elsewhere with a hyphen', ['юго-восток и юго-', 'восток'], ['юго-восток и юго-восток']],
    ['a name', ['Мамин-', 'Сибиряк'], ['Мамин-', 'Сибиряк']],
    ['a dash', ['слово -', 'дело'], ['слово -', 'дело']],
    ['a number', ['5-', 'летний'], ['5-', 'летний']],
    ['punctuation after the word', ['сло-', 'ва, и'], ['слова,', 'и']],
  ])('%s', (_, given, expected) => {
    expect(join(...given)).toEqual(expected)
  })
})

describe('tables and columns of a PDF (S10.732)', () => {
  test('aligned columns are a table', async () => {
    const rows = [
      ['Имя', 'Сумма', 'День'],
      ['Анна', '10', 'вт'],
      ['Борис Львович', '2000', 'ср'],
      ['Вера', '3', 'чт'],
    ]
    const cells = rows.map((row, at) =>
      row.map((cell, column) => textAt(72 + column * 120, 680 - at * 16, cell)).join(''),
    )
    expect(
      await text(
        makeDrawnPdf([page(textAt(72, 720, 'Перед таблицей стоит строка'), ...cells, textAt(72, 500, 'После'))]),
      ),
    ).toBe(
      'Перед таблицей стоит строка\n\n| Имя | Сумма | День |\n| --- | --- | --- |\n| Анна | 10 | вт |\n| Борис Львович | 2000 | ср |\n| Вера | 3 | чт |\n\nПосле',
    )
  })

  test('lines around cells keep what a cell has in several lines', async () => {
    const flat = [700, 660, 620].map((y) => `72 ${y} m 372 ${y} l S`)
    const upright = [72, 172, 372].map((x) => `${x} 619.5 1 81 re f`)
    const cells = page(
      lines(75, 688, ['Наименова-', 'ние товара']),
      textAt(175, 688, 'Цена'),
      textAt(75, 648, 'Стол'),
      lines(175, 648, ['сто рублей', 'за штуку']),
    )
    expect(await text(makeDrawnPdf([[...flat, ...upright, cells].join(' ')]))).toBe(
      '| Наименование товара | Цена |\n| --- | --- |\n| Стол | сто рублей за штуку |',
    )
  })

  test('rows without lines between them stay rows', async () => {
    const flat = [700, 680, 600].map((y) => `72 ${y} m 372 ${y} l S`)
    const upright = [72, 172, 272, 372].map((x) => `${x} 700 m ${x} 600 l S`)
    const columns = ['abcde', '12345', 'vwxyz'].map((column, at) => lines(75 + at * 100, 668, [...column]))
    const heads = ['A', 'B', 'C'].map((head, at) => textAt(75 + at * 100, 686, head))
    expect(await text(makeDrawnPdf([[...flat, ...upright, page(...heads, ...columns)].join(' ')]))).toMatch(
      /^\| A \| B \| C \|\n\| --- .*\n\| a \| 1 \| v \|\n\| b \| 2 \| w \|\n/,
    )
  })

  test('columns of prose drawn line by line are read in order', async () => {
    const left = [
      'левая колонка рассказывает о том',
      'как мы провели это долгое лето на',
      'даче у бабушки за рекой и лесом',
      'и никуда не спешили до осени той',
    ]
    const right = left.map((line) => line.toUpperCase())
    const drawn = left.map((line, at) => textAt(60, 700 - at * 12, line) + textAt(330, 700 - at * 12, right[at] ?? ''))
    expect(await text(makeDrawnPdf([page(...drawn)]))).toBe([...left, ...right].join('\n'))
  })

  test('headers and footers that repeat are there once, numbers of pages too', async () => {
    const pages = [1, 2, 3, 4].map((n) =>
      page(
        textAt(72, 770, 'Договор 15 от 2024 года'),
        textAt(72, 500, `Пункт ${n * 17}`),
        textAt(300, 20, `стр. ${n} из 4`),
      ),
    )
    const { content, pages: marks } = await read(makeDrawnPdf(pages))
    expect(content).toBe('Договор 15 от 2024 года\nстр. 1 из 4\nПункт 17\n\nПункт 34\n\nПункт 51\n\nПункт 68')
    expect(marks.map(({ name }) => name)).toEqual(['стр. 1', 'стр. 2', 'стр. 3', 'стр. 4'])
  })

  test('the last number on each page is no footer', async () => {
    const pages = [500, 731, 12, 9].map((sum) => page(textAt(72, 500, 'Итого'), textAt(72, 40, String(sum))))
    expect(await text(makeDrawnPdf(pages))).toMatch(/500\n\nИтого\n731\n\nИтого\n12\n\nИтого\n9$/)
  })
})

describe('forms (S10.731)', () => {
  const id = firstFreeObject(1)
  const form = (fields: string[], content = '') =>
    makeDrawnPdf([content], {
      catalog: `/AcroForm<</Fields[${fields.map((_, at) => `${id + at} 0 R`).join(' ')}]>>`,
      page: `/Annots[${fields.map((_, at) => `${id + at} 0 R`).join(' ')}]`,
      objects: fields,
    })
  const field = (rest: string, y = 690) => `<</Type/Annot/Subtype/Widget/Rect[200 ${y} 400 ${y + 20}]${rest}>>`
  const utf16 = (words: string) => `<feff${Buffer.from(words, 'utf16le').swap16().toString('hex')}>`

  test('values are read with labels, and a form is no scan', async () => {
    const pdf = form(
      [
        field(`/FT/Tx/T(f1)/V${utf16('Иванов Иван')}`),
        field(`/FT/Tx/T(f2)/TU${utf16('Город')}/V${utf16('Тверь')}`, 640),
        field('/FT/Btn/T(c1)/TU(Agreed)/V/Yes/AS/Yes/AP<</N<</Yes 3 0 R/Off 3 0 R>>>>', 590),
        field('/FT/Btn/T(c2)/TU(Refused)/V/Off/AS/Off/AP<</N<</Yes 3 0 R/Off 3 0 R>>>>', 540),
        field(`/FT/Ch/Ff 131072/T(ch)/TU(Day)/Opt[[(1) ${utf16('вторник')}]]/V(1)`, 490),
      ],
      page(textAt(72, 695, 'Фамилия, имя:')),
    )
    const { content, pdf: pages } = await read(pdf)
    expect(content).toBe('Фамилия, имя:\n\nФамилия, имя: Иванов Иван\nГород: Тверь\nAgreed: да\nDay: вторник')
    expect(pages?.pages[0]?.needsReading).toBe(false)
    const bare = await read(form([field(`/FT/Tx/T(f1)/V${utf16('Только поле')}`)]))
    expect([bare.content, bare.pdf?.pages[0]?.needsReading]).toEqual(['Только поле', false])
  })

  test('a text typed over the page is read', async () => {
    expect(await text(form([`<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/Contents${utf16('Вписано')}>>`]))).toBe(
      'Вписано',
    )
  })
})

describe('a password (S10.731)', () => {
  const locked = (filters: string) => {
    const key = `/Filter/Standard/V 4/R 4/Length 128/P -4/O<${'aa'.repeat(32)}>/U<${'bb'.repeat(32)}>`
    return makeDrawnPdf([page(textAt(72, 700, 'Открытый текст'))], {
      trailer: `/Encrypt ${firstFreeObject(1)} 0 R/ID[<${'00'.repeat(16)}><${'00'.repeat(16)}>]`,
      objects: [`<<${key}/CF<</StdCF<</CFM/AESV2/AuthEvent/EFOpen/Length 16>>>>${filters}>>`],
    })
  }
  test('of the attachments only does not lock the text', async () => {
    expect(await text(locked('/StmF/Identity/StrF/Identity/EFF/StdCF'))).toBe('Открытый текст')
  })
  test('of the text locks it', async () => {
    await expect(read(locked('/StmF/StdCF/StrF/StdCF/EFF/StdCF'))).rejects.toThrow(LOCKED)
  })
})
