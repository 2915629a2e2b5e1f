import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SqlFolders } from './client.ts'

/** Beside the built server, or in the sources. */
export function sqlFolders(): SqlFolders {
  const here = dirname(fileURLToPath(import.meta.url))
  const root = [here, dirname(here)].find((folder) => existsSync(join(folder, 'migrations'))) ?? here
  return { migrations: join(root, 'migrations'), functions: join(root, 'functions') }
}
