import { expect, test } from 'vitest'
import { createRun } from './run-program.ts'

const path = '/usr/bin:/bin'

test('a program gets the path and nothing else of the environment (S10.1226)', async () => {
  expect(await createRun(path)('env', [])).toBe(`PATH=${path}\n`)
  await expect(createRun('/nowhere')('env', [])).rejects.toThrow('ENOENT')
})

test('a program that fails says why, and a stop ends it', async () => {
  const run = createRun(path)
  await expect(run('sh', ['-c', 'echo bad >&2; exit 3'])).rejects.toThrow('sh ended with 3: bad')
  await expect(run('sleep', ['60'], AbortSignal.timeout(20))).rejects.toThrow()
})
