import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renderMarkdown } from './markdown.ts'
import { findRendered, writeRendered } from './rendered.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'symbol-help-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a page that the build has rendered is not rendered again, and looks the same', () => {
  const text = '## Раз\n\nТекст со [ссылкой](/help/money/a).'
  writeRendered(folder, [text])
  expect(findRendered(folder)(text)).toEqual(renderMarkdown(text))
  const file = join(folder, 'rendered.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Текст', 'Из сборки'))
  expect(findRendered(folder)(text).html).toContain('Из сборки')
})

test('a page that the build does not know is rendered by the server, and a bad one is refused by it', () => {
  writeRendered(folder, ['Один', '<b>HTML</b>'])
  expect(findRendered(folder)('Другой')).toEqual(renderMarkdown('Другой'))
  expect(() => findRendered(folder)('<b>HTML</b>')).toThrow('no such block')
})

test('without a build every page is rendered by the server', () => {
  expect(findRendered(folder)('Один')).toEqual(renderMarkdown('Один'))
})
