import { expect, test } from 'vitest'
import { fileNameIn } from './save-file.ts'

test('an encoded Russian name wins over the plain name', () => {
  const name = encodeURIComponent('Отпуск в Крыму.docx')
  expect(fileNameIn(`attachment; filename="chat.docx"; filename*=UTF-8''${name}`)).toBe('Отпуск в Крыму.docx')
})

test('a plain name is taken as it is', () => {
  expect(fileNameIn('attachment; filename="chat.md"')).toBe('chat.md')
})

test('a missing or broken name is null', () => {
  expect(fileNameIn(null)).toBeNull()
  expect(fileNameIn('attachment')).toBeNull()
  expect(fileNameIn("attachment; filename*=UTF-8''%E0%A4%A")).toBeNull()
})
