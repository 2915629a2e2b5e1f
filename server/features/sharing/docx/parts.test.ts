import { expect, test } from 'vitest'
import { markdownPieces } from './parts.ts'

const long = 'Слово и ещё слово. '.repeat(120)
const markdownIn = (text: string) =>
  markdownPieces(text).flatMap((piece) => ('markdown' in piece ? piece.markdown : []))
const codeIn = (text: string) => markdownPieces(text).flatMap((piece) => ('code' in piece ? piece.code : []))

test('an ordinary message stays whole', () => {
  const text = '# Заголовок\n\n[a]: b\n\n```\ncode\n```\n\n[a]'
  expect(markdownPieces(text)).toEqual([{ markdown: text }])
})

test('a long one is cut at empty lines and keeps every word', () => {
  const text = [long, long, long, 'Конец'].join('\n\n')
  const pieces = markdownIn(text)
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.every((piece) => piece.length < 5000)).toBe(true)
  expect(pieces.join('').split(/\s+/).join(' ').trim()).toBe(text.split(/\s+/).join(' '))
})

test('code between fences is taken out whole, however long, and closed where it is closed', () => {
  const code = `${'line\n\n'.repeat(2000)}\`\`\` not the end`
  const text = `${long}\n\n\`\`\`\`ts\n${code}\n\`\`\`\`\n\nпосле`
  expect(codeIn(text)).toEqual([code])
  expect(markdownIn(text).at(-1)?.trim()).toBe('после')
  expect(codeIn(`${long}${long}\n\n~~~\nне закрыто`)).toEqual(['не закрыто'])
})

test('what belongs to an item of a list stays with it', () => {
  const text = `${long}\n\n1. пункт\n\n   абзац пункта\n\n${long}`
  expect(markdownIn(text).some((piece) => piece.includes('1. пункт\n\n   абзац пункта'))).toBe(true)
})

test('a long table is cut into tables with the same head', () => {
  const rows = Array.from({ length: 600 }, (_, i) => `| имя ${i} | ${i} |`)
  const pieces = markdownIn(['| Имя | Номер |', '|---|---|', ...rows].join('\n'))
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.every((piece) => piece.startsWith('| Имя | Номер |\n|---|---|\n'))).toBe(true)
  expect(pieces.join('').match(/имя \d+/g)).toHaveLength(600)
})

test('an endless line is cut between words, and an endless word anywhere', () => {
  const words = markdownIn('слово '.repeat(3000))
  expect(words.every((piece) => piece.length < 5000 && /^слово/.test(piece))).toBe(true)
  expect(markdownIn('я'.repeat(9000)).map((piece) => piece.trim().length)).toEqual([4000, 4000, 1000])
})
