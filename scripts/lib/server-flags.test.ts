import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { memoryLimit, serverFlags } from './server-flags.mjs'

const MIB = 2 ** 20
const heapOf = (mib: number, isEmbedded = false) => {
  const [, flag = ''] = serverFlags({ limit: mib * MIB, isEmbedded })
  return Number(/^--max-old-space-size=(\d+)$/.exec(flag)?.[1])
}

test('the heap leaves room in the container and is never above 2000 (S10.1201)', () => {
  for (const [mib, postgres, embedded] of [
    [512, 128, 128],
    [1024, 640, 384],
    [1536, 1152, 896],
    [2048, 1664, 1408],
    [4096, 2000, 2000],
  ] as const) {
    expect([heapOf(mib), heapOf(mib, true)], String(mib)).toEqual([postgres, embedded])
  }
  expect(heapOf(Number.POSITIVE_INFINITY)).toBe(2000)
})

test('the embedded database is not optimized where memory is short (S10.1202)', () => {
  const flags = (mib: number, isEmbedded: boolean) => serverFlags({ limit: mib * MIB, isEmbedded })
  expect(flags(1024, true)).toContain('--liftoff-only')
  expect(flags(2048, true)).not.toContain('--liftoff-only')
  expect(flags(1024, false)).not.toContain('--liftoff-only')
})

test('without a limit below it, the memory of the machine counts (S10.1201)', () => {
  for (const allowed of [0, undefined, 2 ** 64]) expect(memoryLimit(8 * MIB, allowed)).toBe(8 * MIB)
  expect(memoryLimit(8 * MIB, 2 * MIB)).toBe(2 * MIB)
})

test('node starts with the printed flags (S10.1201)', () => {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { encoding: 'utf8', env: { PATH: dirname(process.execPath) } }).trim()
  const flags = run('scripts/server-flags.mjs').split(' ')
  expect(flags).toContain('--max-semi-space-size=2')
  const heap = Number(run(...flags, '-p', 'v8.getHeapStatistics().heap_size_limit')) / MIB
  expect(heap).toBeLessThan(2100)
  expect(run('--liftoff-only', '-p', '1')).toBe('1')
})
