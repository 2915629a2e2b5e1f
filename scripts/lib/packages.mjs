import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { run } from './run.mjs'

const STAMP = 'node_modules/.installed'

/** Installs npm packages when they are missing or the lockfile has changed since. */
export async function ensurePackages() {
  const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  console.log('Устанавливаю пакеты npm…')
  // Not `npm ci`: it refuses a lockfile that lacks the optional bindings of platforms a registry does not carry.
  await run('npm', ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(STAMP, wanted)
}
