import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMask } from './mask.ts'
import { isInn, isLuhn, isSnils, type PersonalKind } from './personal-data.ts'
import { longestPause } from './testing/worst-texts.ts'

const masked = (text: string, names: string[] = []) => createMask(names).mask(text)
const kindsIn = (text: string, names: string[] = []) => {
  const mask = createMask(names)
  mask.mask(text)
  return mask.counts()
}

describe('the mask', () => {
  const known: [PersonalKind, string][] = [
    ['phone', '+7 (999) 123-45-67'],
    ['phone', '89991234567'],
    ['phone', '8 800 555-35-35'],
    ['phone', '+7-999-123-45-67'],
    ['phone', '8(4012)12-34-56'],
    ['phone', '(495) 123-45-67'],
    ['phone', '916 123-45-67'],
    ['phone', '123-45-67'],
    ['phone', '+375 29 123-45-67'],
    ['phone', '+1 (415) 555-2671'],
    ['phone', '+442071838750'],
    ['email', 'anna.petrova+chat@mail.example.ru'],
    ['email', 'почта@пример.рф'],
    ['card', '4111 1111 1111 1111'],
    ['card', '2200-0000-0000-0004'],
    ['card', '378282246310005'],
    ['snils', '112-233-445 95'],
    ['snils', '11223344595'],
    ['inn', '500100732259'],
    ['account', '40817810099910004312'],
    ['account', '40817 810 0 9991 0004312'],
  ]
  test.each(known)('finds %s: %s', (kind, value) => {
    const mask = createMask()
    expect(mask.mask(`Вот: ${value}, запишите.`)).toMatch(/^Вот: \[\S+ 1\], запишите\.$/)
    expect(mask.counts()).toEqual({ [kind]: 1 })
    expect(mask.masked()).toMatchObject([{ kind, text: value }])
  })

  const named: [PersonalKind, string, string][] = [
    ['passport', 'Паспорт 4509 123456 выдан', 'Паспорт [паспорт 1] выдан'],
    ['passport', 'серия 45 09, номер 123456', 'серия [паспорт 1]'],
    ['passport', 'загранпаспорт 71 1234567', 'загранпаспорт [паспорт 1]'],
    ['inn', 'ИНН: 7707083893', 'ИНН: [ИНН 1]'],
    ['ogrn', 'ОГРН 1027700132195', 'ОГРН [ОГРН 1]'],
    ['account', 'на счёт 12345678901234567890', 'на счёт [счёт 1]'],
    ['snils', 'СНИЛС 12345678900', 'СНИЛС [СНИЛС 1]'],
    ['phone', 'тел. 223-344', 'тел. 223-344'],
    ['phone', 'Телефон: 22-33-44', 'Телефон: [телефон 1]'],
  ]
  test.each(named)('finds %s by the words before it: %s', (_, text, expected) => {
    expect(masked(text)).toBe(expected)
  })

  test.each([
    'Бюджет 83 456 789 012 рублей',
    'Прибыль +10 000 000 рублей',
    'Время 1700000000000 и 1700000000',
    'Код 4111 1111 1111 1112 не карта',
    'Число 8.3456789012 и версия 8.9.2024',
    'Заказ 123456789012 от 12.03.2026',
    'Старинные 7707083893 дома',
    'телевизор 150000 рублей',
    'id_89991234567x и a1b2c3d4-1234-5678',
    'function f(a) { return a[1] + "@" }',
  ])('leaves other text alone: %s', (text) => {
    expect(masked(text)).toBe(text)
  })

  test('finds personal data in code too', () => {
    expect(masked('```js\nconst to = "anna@example.ru"\n```')).toBe('```js\nconst to = "[почта 1]"\n```')
  })
})

describe('names from the personal list', () => {
  const forms: [string, string][] = [
    ['Иван', 'Ивана Ивану Иваном Иване ИВАНУ'],
    ['Павел', 'Павла Павлу Павлом Павле'],
    ['Андрей', 'Андрея Андрею Андреем Андрее'],
    ['Игорь', 'Игоря Игорю Игорем'],
    ['Анна', 'Анны Анне Анну Анной'],
    ['Мария', 'Марии Марию Марией'],
    ['Илья', 'Ильи Илье Илью Ильёй'],
    ['Петров', 'Петрова Петрову Петровым Петрове'],
    ['Ковалёва', 'Ковалевой Ковалёву'],
    ['Чайковский', 'Чайковского Чайковскому Чайковским'],
    ['Толстая', 'Толстой Толстую'],
    ['Шевченко', 'Шевченко'],
    ['Smith', 'SMITH'],
  ]
  test.each(forms)('%s is found in %s', (name, text) => {
    const words = text.split(' ')
    expect(masked(text, [name])).toMatch(/^(?:\[имя 1(?:\.\d)?\] ?)+$/)
    for (const word of [name, ...words]) expect(masked(`${word}.`, [name])).not.toContain(word)
  })

  test('of several words are found as a whole and restored by number', () => {
    const mask = createMask(['Анна Петрова'])
    expect(mask.mask('Письмо Анне Петровой. Анна Петрова ждёт.')).toBe('Письмо [имя 1.2]. [имя 1] ждёт.')
    expect(mask.restore('[имя 1] ответит, передайте [имя 1.2], и ещё [имя 1.9]')).toBe(
      'Анна Петрова ответит, передайте Анне Петровой, и ещё Анна Петрова',
    )
    expect(kindsIn('Анне Петровой, Анна Петрова', ['Анна Петрова'])).toEqual({ name: 1 })
    expect(masked('Анна и Петрова', ['Анна Петрова'])).toBe('Анна и Петрова')
  })

  test('with a capital leave the common word alone', () => {
    expect(masked('Роман читает роман', ['Роман'])).toBe('[имя 1] читает роман')
    expect(masked('Ромашка и ромашка', ['ромашка'])).toBe('[имя 1.2] и [имя 1]')
  })
})

describe('tokens', () => {
  test('are the same for the same value, in any spelling', () => {
    expect(masked('89991234567, 89991234567, +7 999 123-45-67, 89990000000')).toBe(
      '[телефон 1], [телефон 1], [телефон 1.2], [телефон 2]',
    )
  })

  test.each([
    ['[Телефон 1]', '89991234567'],
    ['[ТЕЛЕФОН 1]', '89991234567'],
    ['[телефона 1]', '89991234567'],
    ['[телефоном №1]', '89991234567'],
    ['[ телефон  1 ]', '89991234567'],
    ['[телефон_1]', '89991234567'],
    [String.raw`\[телефон 1\]`, '89991234567'],
    ['{телефон 1}', '89991234567'],
    ['<телефон 1>', '89991234567'],
    ['【телефон 1】', '89991234567'],
    ['(телефон 1)', '(89991234567)'],
    ['[phone 1]', '89991234567'],
    ['[Phone number 1]', '89991234567'],
    ['[почте 1] и [email 1]', 'a@b.ru и a@b.ru'],
    ['«телефон 1»', '«телефон 1»'],
    ['телефон 1', 'телефон 1'],
    ['[телефон 2]', '[телефон 2]'],
    ['[телефон 1)', '[телефон 1)'],
    ['[1]', '[1]'],
  ])('as models write them back: %s', (written, expected) => {
    const mask = createMask()
    mask.mask('89991234567 a@b.ru')
    expect(mask.restore(`Ответ: ${written}.`)).toBe(`Ответ: ${expected}.`)
  })

  test('that a text has already are left to it (S10.334)', () => {
    const text = 'Шаблон «[телефон 1]» и (Phone 2), а мой номер 89991234567'
    const mask = createMask()
    mask.reserve(text)
    const sent = mask.mask(text)
    expect(sent).toBe('Шаблон «[телефон 1]» и (Phone 2), а мой номер [телефон 3]')
    expect(mask.restore(sent)).toBe(text)
  })
})

/** Texts that mix words, signs, values, tokens and halves of them. */
const digits = (length: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${length - 1}}$`))
const value = fc.oneof(
  digits(10).map((rest) => `+7${rest}`),
  fc
    .tuple(fc.constantFrom('916', '495', '800', '343'), digits(3), digits(2), digits(2))
    .map(([code, a, b, c]) => `8 (${code}) ${a}-${b}-${c}`),
  fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9.]{0,8}[a-z]$/), fc.stringMatching(/^[a-z]{2,8}$/))
    .map(([a, b]) => `${a}@${b}.ru`),
  digits(15).map(
    (start) => `4${start.slice(1)}${[...'0123456789'].find((last) => isLuhn(`4${start.slice(1)}${last}`))}`,
  ),
  digits(9)
    .filter((number) => Number(number) > 100_000_000)
    .map(
      (number) =>
        `${number}${[...Array(100).keys()].map((n) => `${n}`.padStart(2, '0')).find((end) => isSnils(number + end))}`,
    ),
  digits(10).map(
    (number) =>
      `${number}${[...Array(100).keys()].map((n) => `${n}`.padStart(2, '0')).find((end) => isInn(number + end))}`,
  ),
  digits(12).map((rest) => `40817810${rest}`),
  fc.constantFrom('Анна', 'Анне', 'Анны', 'Иваном Петровым'),
)
const NAMES = ['Анна', 'Иван Петров']
const part = fc.oneof(
  value,
  fc.constantFrom('[телефон 1]', '[Имя 2.3]', '(почта 1)', '\\[карта 1\\]', '[phone 7]', '<СНИЛС 1>'),
  fc.constantFrom('[', ']', '\\', '(', ')', '[телефон', ' 1]', '1', '[имя 1', '№', '@', '+7', '-', '\n', '```', ' '),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('Позвоните', 'паспорт', 'ИНН', 'счёт', 'роман'),
)
const anyText = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''))

function maskAll(texts: string[]) {
  const mask = createMask(NAMES)
  for (const text of texts) mask.reserve(text)
  return { mask, sent: texts.map((text) => mask.mask(text)) }
}

describe('for any text', () => {
  test('masked words come back (S10.334)', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 4 }), (texts) => {
        const { mask, sent } = maskAll(texts)
        expect(sent.map(mask.restore)).toEqual(texts)
      }),
      { numRuns: 300 },
    )
  })

  test('no value of a known sort survives (S10.333)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, fc.constantFrom('', ' ', 'и', '. ')), { minLength: 1, maxLength: 5 }),
        (values) => {
          const text = values.map(([own, more]) => `слово${more}; ${own}, `).join('')
          const { sent } = maskAll([text])
          for (const [own] of values) expect(sent[0]).not.toContain(own)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('an answer in chunks is restored as a whole (S10.335)', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.array(fc.nat(200), { maxLength: 20 }), (question, more, cuts) => {
        const { mask, sent } = maskAll([question])
        const answer = `${sent[0]} ${more} ${sent[0]}`
        const bounds = [0, ...cuts.filter((cut) => cut < answer.length).sort((a, b) => a - b), answer.length]
        let shown = ''
        const stream = mask.restoreStream((text) => {
          shown += text
        })
        for (const [i, at] of bounds.entries()) stream.push(answer.slice(at, bounds[i + 1]))
        stream.end()
        expect(shown).toBe(mask.restore(answer))
      }),
      { numRuns: 300 },
    )
  })

  test('an answer is restored character by character without delaying ordinary words', () => {
    const mask = createMask()
    mask.mask('89991234567')
    const given: string[] = []
    const stream = mask.restoreStream((text) => given.push(text))
    for (const character of 'Да: [телефон 1]!') stream.push(character)
    expect(given).toEqual(['Д', 'а', ':', ' ', '89991234567', '!'])
    stream.push('Список [a')
    expect(given.at(-1)).toBe('Список ')
    stream.end()
    expect(given.at(-1)).toBe('[a')
  })
})

test('a hundred long names are found as fast as a single name (S10.520)', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `${'и '.repeat(36)}я${n}`)
  const mask = createMask(names)
  const text = `${'и '.repeat(3000)}я7`
  expect(mask.mask(text)).toBe(`${'и '.repeat(3000 - 36)}[имя 1]`)
  expect(await longestPause(() => mask.mask(text))).toBeLessThan(1000)
})

test('a value is found at any place of a long text (S10.520)', () => {
  for (let before = 9_970; before <= 10_010; before += 1) {
    const text = `${'слово '.repeat(2000).slice(0, before)} Анне Петровой, тел. +7 999 123-45-67, a@b.ru и Анна Петрова.`
    const mask = createMask(['Анна Петрова'])
    expect(mask.mask(text).slice(before)).toBe(' [имя 1.2], тел. [телефон 1], [почта 1] и [имя 1].')
  }
})

test('a long text is masked quickly', async () => {
  const text =
    'Договор № 15 от 12.03.2026, сумма 1 200 000 рублей, счёт 5. Письмо отправлено вчера, ответ ждём.\n'.repeat(5000)
  const mask = createMask(['Анна Петрова', 'Иван'])
  const work = () => {
    mask.reserve(text)
    mask.mask(text)
  }
  expect(await longestPause(work)).toBeLessThan(3000)
})

describe('a cut', () => {
  const values = [
    ...['+7 (999) 123-45-67', 'anna.petrova@mail.example.ru', '4111 1111 1111 1111', '112-233-445 95'],
    ...['40817 810 0 9991 0004312', 'паспорт 45 10 № 123456', 'ИНН 7707083893', 'Анны Петровны Верещагиной'],
  ]
  test.each(values)('keeps %s whole or leaves it out (S10.618)', (value) => {
    const [before, after] = [`${'слово '.repeat(200)}вот: `, `, и ещё${' слово'.repeat(200)}`]
    const text = before + value + after
    const mask = createMask(['Анна Петровна Верещагина'])
    const tokens = mask.mask(text)
    const start = [...text].findIndex((sign, n) => tokens[n] !== sign)
    const end = before.length + value.length
    for (let at = start - 3; at <= end + 3; at++) {
      const isInside = start < at && at < end
      expect(mask.cut(text, at)).toBe(text.slice(0, isInside ? start : at))
      expect(mask.afterValue(text, at)).toBe(isInside ? end : at)
    }
  })

  test('stays at its place when no value is there', () => {
    const { cut, afterValue } = createMask()
    expect(cut('+7 999 123-45-67', 100)).toBe('+7 999 123-45-67')
    expect(afterValue('+7 999 123-45-67', 100)).toBe(100)
    expect(cut('+7 999 123-45-67', 0)).toBe('')
    expect(cut('12 345 слов', 4)).toBe('12 3')
  })
})
