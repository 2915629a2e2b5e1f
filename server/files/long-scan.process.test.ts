import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'

const run = promisify(execFile)
const program = fileURLToPath(new URL('./testing/open-long-scan.ts', import.meta.url))
const Held = z.object({ pages: z.number(), grown: z.number(), fileBytes: z.number(), decodedBytes: z.number() })

test('opening 600 scanned pages holds two copies at most (S10.798)', { timeout: 120_000 }, async () => {
  const { stdout } = await run(process.execPath, ['--expose-gc', '--import', 'tsx', program])
  const held = Held.parse(JSON.parse(stdout))
  expect(held.pages).toBe(600)
  // The pages would take many times that.
  expect(held.decodedBytes).toBeGreaterThan(held.fileBytes * 10)
  expect(held.grown).toBeLessThan(held.fileBytes * 2)
})
