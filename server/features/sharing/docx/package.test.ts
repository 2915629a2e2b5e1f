import { expect, test } from 'vitest'
import { splitMarkdown } from './package.ts'

const long = 'Слово и ещё слово. '.repeat(120)
const markdownIn = (text: string) => splitMarkdown(text).flatMap((part) => ('markdown' in part ? part.markdown : []))
const codeIn = (text: string) => splitMarkdown(text).flatMap((part) => ('code' in part ? part.code : []))

test('an ordinary message stays whole', () => {
  const text = '# Заголовок\n\n[a]: b\n\n```\ncode\n```\n\n[a]'
  expect(splitMarkdown(text)).toEqual([{ markdown: text }])
})

test('a long message is cut at empty lines and keeps every word', () => {
  const text = [long, long, long, 'Конец'].join('\n\n')
  const parts = markdownIn(text)
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.every((part) => part.length < 5000)).toBe(true)
  expect(parts.join('').split(/\s+/).join(' ').trim()).toBe(text.split(/\s+/).join(' '))
})

test('fenced code is taken out whole, up to its own end', () => {
  const code = `${'line\n\n'.repeat(2000)}\`\`\` not the end`
  const text = `${long}\n\n\`\`\`\`ts\n${code}\n\`\`\`\`\n\nпосле`
  expect(codeIn(text)).toEqual([code])
  expect(markdownIn(text).at(-1)?.trim()).toBe('после')
  expect(codeIn(`${long}${long}\n\n~~~\nне закрыто`)).toEqual(['не закрыто'])
})

test('paragraphs of a list item stay together', () => {
  const text = `${long}\n\n1. пункт\n\n   абзац пункта\n\n${long}`
  expect(markdownIn(text).some((part) => part.includes('1. пункт\n\n   абзац пункта'))).toBe(true)
})

test('a long table is cut into tables with the same head', () => {
  const rows = Array.from({ length: 600 }, (_, i) => `| имя ${i} | ${i} |`)
  const parts = markdownIn(['| Имя | Номер |', '|---|---|', ...rows].join('\n'))
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.every((part) => part.startsWith('| Имя | Номер |\n|---|---|\n'))).toBe(true)
  expect(parts.join('').match(/имя \d+/g)).toHaveLength(600)
})

test('a long line is cut between words, a long word anywhere', () => {
  const words = markdownIn('слово '.repeat(3000))
  expect(words.every((part) => part.length < 5000 && /^слово/.test(part))).toBe(true)
  expect(markdownIn('я'.repeat(9000)).map((part) => part.trim().length)).toEqual([4000, 4000, 1000])
})
