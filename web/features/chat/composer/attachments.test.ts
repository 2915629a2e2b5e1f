import { expect, test } from 'vitest'
import { fileSize, looksLikeImage, sortFiles } from './attachments.ts'

const file = (name: string, size = 10, type = '') => ({ name, size, type })

test('images and documents are accepted (S10.734)', () => {
  const files = ['a.PNG', 'отчёт.docx', 'IMG_1.HEIC', 'старый.doc', 'смета.ods', 'книга.fb2', 'план.pptx'].map((name) =>
    file(name),
  )
  files.push(file('image', 10, 'image/png'))
  expect(sortFiles(files, 0)).toEqual({ taken: files, rejections: [] })
})

test('each rejected file has its reason', () => {
  const files = [file('большой.pdf', 21 * 1024 * 1024), file('a.exe'), file('пусто.txt', 0), file('b.md')]
  const { taken, rejections } = sortFiles(files, 0)
  expect(taken.map(({ name }) => name)).toEqual(['b.md'])
  expect(rejections).toEqual([
    'Файл «большой.pdf» больше 20 МБ.',
    'Файл «a.exe» не подойдёт: можно картинки, PDF, документы, таблицы, презентации, книги и тексты.',
    'Файл «пусто.txt» пустой.',
  ])
})

test('a message takes at most ten files in all', () => {
  const { taken, rejections } = sortFiles([file('a.md'), file('b.md'), file('c.md')], 8)
  expect(taken.map(({ name }) => name)).toEqual(['a.md', 'b.md'])
  expect(rejections).toEqual(['К сообщению можно приложить не больше 10 файлов.'])
})

test('an image is recognized by its type or its name', () => {
  expect(looksLikeImage(file('x', 1, 'image/webp'))).toBe(true)
  expect(looksLikeImage(file('x.JPG'))).toBe(true)
  expect(looksLikeImage(file('x.pdf'))).toBe(false)
})

test('a document shows its price, an image its bytes (S10.242)', () => {
  const plain = (file: Parameters<typeof fileSize>[0]) => fileSize(file).replace(/\s/g, ' ')
  expect(plain({ kind: 'document', symbols: 282, bytes: 396 })).toBe('282 символа')
  expect(plain({ kind: 'document', symbols: null, bytes: 396 })).toBe('396 Б')
  expect(plain({ kind: 'image', symbols: null, bytes: 2048 })).toBe('2 КБ')
})
