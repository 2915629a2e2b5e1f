import { rmSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders that this process deletes at its end, also after Ctrl+C; the next process deletes those of killed ones. */
const ownFolders = new Set<string>()
const MARK = `symbol-temporary-${hostname()}-`

export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  await removeLeftovers()
  const path = await mkdtemp(join(tmpdir(), `${MARK}${process.pid}-`))
  ownFolders.add(path)
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true })
      ownFolders.delete(path)
    },
  }
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = name.startsWith(MARK) ? (/^(\d+)-/.exec(name.slice(MARK.length)) ?? []) : []
    if (pid && !isAlive(Number(pid))) await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Synchronous, because it is called right before the process exits. */
export function removeTemporaryNow(): void {
  for (const path of ownFolders) rmSync(path, { recursive: true, force: true })
}
