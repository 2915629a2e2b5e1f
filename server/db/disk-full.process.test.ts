import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isDiskFull } from '#server/lib/errors.ts'
import { openFolder } from './embedded.ts'

/** A small disk; only root may mount one. */
const disk = mkdtempSync(join(tmpdir(), 'symbol-disk-'))
const isMounted = mount('60m')
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true })
})

function mount(size: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function fill(left = 0) {
  const path = join(disk, 'filler')
  for (const bytes of [1024 * 1024, 4096])
    try {
      for (;;) appendFileSync(path, Buffer.alloc(bytes))
    } catch {
      // The test is about a full disk.
    }
  if (left > 0) truncateSync(path, statSync(path).size - left)
}
const free = () => rmSync(join(disk, 'filler'))

test.runIf(isMounted)(
  'a full disk is explained, and work continues with new space (S10.157)',
  async () => {
    const folder = join(disk, 'database')
    fill(20 * 1024 * 1024)
    await expect(openFolder(folder)).rejects.toThrow('Освободите место')
    free()

    const { client, close } = await openFolder(folder)
    await client.exec('create table kept (line text)')
    const write = () => client.exec(`insert into kept select repeat('line', 500) from generate_series(1, 2000)`)
    fill()
    expect(isDiskFull(await write().catch((error: unknown) => error))).toBe(true)
    expect((await client.query('select count(*)::int as lines from kept')).rows).toEqual([{ lines: 0 }])
    free()
    await write()
    fill()
    await close().catch(() => undefined)
    await expect(openFolder(folder)).rejects.toThrow('Освободите место')
    free()

    const again = await openFolder(folder)
    expect((await again.client.query('select count(*)::int as lines from kept')).rows).toEqual([{ lines: 2000 }])
    await again.close()
  },
  180_000,
)
