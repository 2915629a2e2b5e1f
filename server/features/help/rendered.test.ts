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

test('a page rendered by the build is not rendered again (S10.480)', async () => {
  const text = '## Раз\n\nТекст со [ссылкой](/help/money/a).'
  await writeRendered(folder, [text])
  expect((await findRendered(folder, [text]))(text)).toEqual(renderMarkdown(text))
  const file = join(folder, 'rendered.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Текст', 'Из сборки'))
  expect((await findRendered(folder, [text]))(text).html).toContain('Из сборки')
})

test('pages unknown to the build are rendered or refused by the server (S10.480)', async () => {
  await writeRendered(folder, ['Один', '<b>HTML</b>'])
  expect((await findRendered(folder, ['Другой']))('Другой')).toEqual(renderMarkdown('Другой'))
  const render = await findRendered(folder, ['<b>HTML</b>'])
  expect(() => render('<b>HTML</b>')).toThrow('no such block')
})

test('without a build every page is rendered by the server (S10.480)', async () => {
  expect((await findRendered(folder, ['Один']))('Один')).toEqual(renderMarkdown('Один'))
})
