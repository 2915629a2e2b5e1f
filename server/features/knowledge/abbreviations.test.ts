import { expect, test } from 'vitest'
import { addedWords, namesIn } from './abbreviations.ts'

const pause = async () => {}
const addedTo = async (text: string, passage = text) => addedWords(await namesIn(text, pause), passage)

test('a name with capitals is found by its initials and syllables (S10.771)', async () => {
  expect(await addedTo('Законы принимает Государственная Дума.')).toEqual(expect.arrayContaining(['гд', 'госдума']))
  expect(await addedTo('Решение принял Верховный Суд.')).toContain('вс')
})

test('a repeated group of words is found by its initials (S10.771)', async () => {
  const text = 'При дорожно-транспортном происшествии стойте. О дорожно-транспортном происшествии сообщите. '
  expect(await addedTo(`${text} Место дорожно-транспортного происшествия оградите.`)).toContain('дтп')
  expect(await addedTo('Сообщите о дорожно-транспортном происшествии.')).toEqual([])
})

test('nouns that belong to a name are a part of it (S10.740)', async () => {
  const wage = 'Меньше минимального размера оплаты труда не платят. Минимальный размер оплаты труда установлен. '
  expect(await addedTo(`${wage} Без минимального размера оплаты труда не считают.`)).toContain('мрот')
  const house = 'Создано товарищество собственников жилья. Долги товарищества собственников жилья. '
  expect(await addedTo(`${house} Член товарищества собственников жилья голосует.`)).toContain('тсж')
})

test('two initials are added unless they look like a word (S10.740)', async () => {
  const thrice = (name: string) => `Что такое ${name}? Если ${name}, то стойте. Опять ${name}.`
  expect(await addedTo(thrice('чрезвычайная ситуация'))).toContain('чс')
  expect(await addedTo(thrice('новая аренда'))).not.toContain('на')
})

test('any case of a name has the same abbreviations (S10.771)', async () => {
  const text = 'Государственной Думы не было. Государственной Думой принято. Государственная Дума решает.'
  expect(await addedTo(text, 'без участия Государственной Думы')).toContain('гд')
})

test('a defined abbreviation is found by the full name (S10.771)', async () => {
  const text = 'Запуск беспилотного воздушного судна (далее — БВС) согласуют. Владелец БВС обязан его учесть.'
  expect(await addedTo(text, 'Владелец БВС обязан его учесть.')).toContain('беспилотного воздушного судна')
  expect(await addedTo('Служба (ЦБ) отвечает.', 'Письмо ЦБ')).toEqual([])
})

test('a long text is read in parts and only its beginning (S10.779)', async () => {
  let pauses = 0
  await namesIn('Общие слова без названий. '.repeat(50_000), async () => {
    pauses += 1
  })
  expect(pauses).toBe(50)
})

test('definitions are read with pauses and up to a limit (S10.1260)', async () => {
  let pauses = 0
  const pause = async () => {
    pauses += 1
  }
  const { full } = await namesIn('Общий Фонд (ОФ) '.repeat(20_000), pause)
  expect(pauses).toBeGreaterThan(60)
  expect([...full]).toEqual([['ОФ', 'Общий Фонд']])
})

test('a word loses all its endings in a row (S10.1260)', async () => {
  const text = 'Рейтинг «Ббб Добрымиами» и «Ббб Добр». '
  expect(await addedTo(text, 'Ббб Добрами')).toContain('бд')
})
