import { expect, test } from 'vitest'
import { decode, readChosen } from './read-file.ts'

const text = 'Название;Текст\r\nПисьмо;Ёлка №5 — «срочно»'
/** Encodes only the characters of the sample. */
const inWindows1251 = (source: string) =>
  Uint8Array.from(
    [...source].map((sign) => {
      const code = sign.codePointAt(0) ?? 0
      const special: Record<string, number> = { Ё: 0xa8, ё: 0xb8, '№': 0xb9, '—': 0x97, '«': 0xab, '»': 0xbb }
      return special[sign] ?? (code >= 0x410 && code <= 0x44f ? code - 0x350 : code)
    }),
  )

test('a CSV in UTF-8, Windows-1251 and UTF-16 reads the same (S10.145)', async () => {
  expect(decode(new TextEncoder().encode(text))).toBe(text)
  expect(decode(inWindows1251(text))).toBe(text)
  expect(
    decode(new Uint8Array([0xff, 0xfe, ...new Uint8Array(Uint16Array.from(text, (s) => s.charCodeAt(0)).buffer)])),
  ).toBe(text)
  const file = new File([inWindows1251(text)], 'Промпты.CSV')
  expect(await readChosen(file)).toEqual({ name: 'Промпты.CSV', format: 'csv', text })
})

test('a file of another type or too large is rejected', async () => {
  await expect(readChosen(new File(['x'], 'list.xlsx'))).rejects.toThrow('Нужен файл .json или .csv.')
  await expect(readChosen(new File(['я'.repeat(600_000)], 'big.json'))).rejects.toThrow('больше 1 МБ')
})
