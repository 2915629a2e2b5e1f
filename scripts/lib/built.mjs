import { existsSync, readFileSync } from 'node:fs'
import { fingerprint } from './inputs.mjs'
import { run } from './run.mjs'

/** Builds page and server when the sources have changed since the last build. */
export async function ensureBuilt() {
  const built = existsSync('dist/build.json') ? JSON.parse(readFileSync('dist/build.json', 'utf8')) : null
  if (built?.inputs === fingerprint()) return
  console.log('Собираю страницу и сервер…')
  await run('node', ['scripts/build.mjs'])
}
