import { expect, test } from 'vitest'
import { fileNameIn } from './save-file.ts'

test('a Russian name is read from its encoded form, which wins over the plain one', () => {
  const name = encodeURIComponent('Отпуск в Крыму.docx')
  expect(fileNameIn(`attachment; filename="chat.docx"; filename*=UTF-8''${name}`)).toBe('Отпуск в Крыму.docx')
})

test('a plain name is taken as it is', () => {
  expect(fileNameIn('attachment; filename="chat.md"')).toBe('chat.md')
})

test('without a name, or with a broken one, there is none', () => {
  expect(fileNameIn(null)).toBeNull()
  expect(fileNameIn('attachment')).toBeNull()
  expect(fileNameIn("attachment; filename*=UTF-8''%E0%A4%A")).toBeNull()
})
