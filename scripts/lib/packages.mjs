import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { run } from './run.mjs'

const STAMP = 'node_modules/.installed'
/** The second keeps out test tools that a package in use names as optional peers. The Dockerfile has the same. */
const WITHOUT_TOOLS = ['--omit=dev', '--legacy-peer-deps']

/**
 * Installs npm packages when they are missing or the lockfile has changed since. `dependencies` are what builds and runs
 * the product; `devDependencies`, half of the megabytes, are installed for tests and checks only.
 */
export async function ensurePackages({ withTools = false } = {}) {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  const [installed, tools] = existsSync(STAMP) ? readFileSync(STAMP, 'utf8').split(' ') : []
  const needsTools = withTools || tools !== undefined
  if (installed === lock && needsTools === (tools !== undefined)) return
  console.log('Устанавливаю пакеты npm…')
  // Not `npm ci`: it refuses a lockfile that lacks the optional bindings of platforms a registry does not carry.
  const which = needsTools ? ['--include=dev'] : WITHOUT_TOOLS
  await run('npm', ['install', '--no-save', ...which, '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(STAMP, needsTools ? `${lock} tools` : lock)
}
