import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'

/** What the tests need beside npm packages. On Debian as root it is installed; elsewhere what is there is used. */

const has = (command) => spawnSync('which', [command]).status === 0

export function postgresFolder() {
  const debian = '/usr/lib/postgresql'
  if (existsSync(debian)) {
    const newest = readdirSync(debian).sort((a, b) => Number(b) - Number(a))[0]
    if (newest && existsSync(join(debian, newest, 'bin/initdb'))) return join(debian, newest, 'bin')
  }
  if (!has('initdb')) return null
  return execFileSync('which', ['initdb'], { encoding: 'utf8' })
    .trim()
    .replace(/\/initdb$/, '')
}

export function chromiumPath() {
  const candidates = ['chromium', 'chromium-browser', 'google-chrome']
  const found = candidates.find(has)
  return found ? execFileSync('which', [found], { encoding: 'utf8' }).trim() : null
}

export async function ensureMachine() {
  const wanted = [
    !chromiumPath() && 'chromium',
    !postgresFolder() && 'postgresql',
    !has('redis-server') && 'redis-server',
    !has('faketime') && 'faketime',
    !has('ps') && 'procps',
    !existsSync('/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf') && 'fonts-noto-color-emoji',
  ].filter(Boolean)
  const canInstall = has('apt-get') && process.getuid?.() === 0
  if (wanted.length > 0 && canInstall) {
    console.log(`Устанавливаю ${wanted.join(', ')}…`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-qq'], { env })
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted], { env })
  }
  if (!chromiumPath()) await run('npx', ['playwright', 'install', 'chromium'])
}
