import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { filesIn } from './files.mjs'

const SOURCES = ['contract', 'server', 'web', 'content']
const FILES = [
  'package-lock.json',
  'package.json',
  'vite.config.ts',
  'scripts/build.mjs',
  'scripts/render-help.ts',
  'scripts/server-flags.mjs',
  'scripts/lib/bundled.mjs',
  'scripts/lib/lean-contract.ts',
  'scripts/lib/page-parts.mjs',
  'scripts/lib/server-flags.mjs',
  'scripts/lib/shells.mjs',
  'scripts/lib/vite-icons.mjs',
]

/** A fingerprint of everything that goes into a build: the same sources give the same build id. */
export function fingerprint() {
  const hash = createHash('sha256')
  for (const file of [...SOURCES.flatMap(filesIn), ...FILES].sort()) {
    if (/\.test\.tsx?$/.test(file) || !existsSync(file)) continue
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}
