import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('no kind of file is read worse than its floor (S10.739)', { timeout: 300_000 }, () => {
  const { status, stdout } = spawnSync('node_modules/.bin/tsx', ['eval/files.ts'], { encoding: 'utf8' })
  expect(stdout).toContain('PDF, cut words')
  expect(stdout).not.toContain('below the floor')
  expect(status).toBe(0)
})
