import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumPath, fullChromiumPath, pathOf } from './machine.mjs'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'symbol-machine-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function program(name: string, script: string): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

test('a browser counts by its answer, not by its name (S10.561)', () => {
  expect(chromiumPath({ PATH: folder })).toBeNull()
  program('chromium-browser', 'echo "Install it by snap"; exit 1')
  program('chromedriver', 'echo "ChromeDriver 156.0.1"')
  const other = program('ungoogled-chromium-156', 'echo "Chromium 156.0.1"')
  expect(chromiumPath({ PATH: folder })).toBe(other)
  const preferred = program('chromium-headless-shell', 'echo "Chromium 156.0.1"')
  expect(chromiumPath({ PATH: folder })).toBe(preferred)
  expect(fullChromiumPath({ PATH: folder, CHROMIUM: preferred })).toBe(other)
  const named = program('my-own', 'echo "Google Chrome 156.0.1"')
  expect(chromiumPath({ PATH: folder, CHROMIUM: named })).toBe(named)
})

test('a command is found only where it can be executed', () => {
  writeFileSync(join(folder, 'not-a-program'), '')
  expect(pathOf('not-a-program', folder)).toBeNull()
  expect(pathOf('nothing-of-this-name', folder)).toBeNull()
  expect(pathOf('sh', `${folder}:/bin`)).toBe('/bin/sh')
})
