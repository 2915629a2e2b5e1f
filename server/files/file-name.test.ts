import { expect, test } from 'vitest'
import { downloadName, fileHeaders } from './file-name.ts'

test.each([
  ['Договор аренды', 'Договор аренды.md'],
  ['«Что?» — спросил/ответил: да\\нет', '«Что » — спросил ответил да нет.md'],
  ['a"b\'c<d>|e*', "a b'c d e.md"],
  ['Отчёт 🎉', 'Отчёт 🎉.md'],
  ['  ...точки...  ', 'точки.md'],
  ['две\nстроки\tи\u0000ноль', 'две строки и ноль.md'],
  ['\u202Egnp.exe', 'gnp.exe.md'],
  ['пол\ud83d', 'пол.md'],
  ['???', 'Чат.md'],
  ['', 'Чат.md'],
  ['con', 'Чат con.md'],
  ['NUL', 'Чат NUL.md'],
])('«%s» becomes «%s»', (title, name) => {
  expect(downloadName(title, 'md')).toBe(name)
})

test('a very long title is cut between characters for every file system', () => {
  for (const title of ['я'.repeat(200), '👨‍👩‍👧‍👦'.repeat(60), 'слово '.repeat(40)]) {
    const name = downloadName(title, 'docx')
    expect(Buffer.byteLength(name)).toBeLessThan(200)
    expect(name).toMatch(/[^ ]\.docx$/)
  }
  expect(downloadName('👨‍👩‍👧‍👦'.repeat(60), 'md')).toMatch(/^(?:👨‍👩‍👧‍👦)+\.md$/u)
})

test('the header is ASCII and has the exact name', () => {
  const name = "Смета (2026) 'итог' 🎉.docx"
  const header = fileHeaders(name, 'x/y')['content-disposition'] ?? ''
  expect(header).toMatch(/^attachment; filename="chat\.docx"; filename\*=UTF-8''[\w.!~%-]+$/)
  expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(name)
})
