import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'

/** What the tests need beside npm packages. `npm test` names what is missing; `npm run test:machine` installs it. */

const EMOJI = '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf'

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
  // The shell without windows is the same engine, and needs a third less of the processor.
  const candidates = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const found = candidates.find(has)
  return found ? execFileSync('which', [found], { encoding: 'utf8' }).trim() : null
}

/** A browser of the machine, or the one that Playwright has downloaded. */
async function hasBrowser() {
  if (chromiumPath()) return true
  const { chromium } = await import('@playwright/test')
  return existsSync(chromium.executablePath())
}

/** What is missing, by the names of the Debian packages. */
export async function missingPrograms() {
  return [
    !(await hasBrowser()) && 'chromium-headless-shell',
    !postgresFolder() && 'postgresql',
    !has('redis-server') && 'redis-server',
    !has('faketime') && 'faketime',
    !has('ps') && 'procps',
    !has('nginx') && 'nginx-light',
    has('apt-get') && !existsSync(EMOJI) && 'fonts-noto-color-emoji',
  ].filter(Boolean)
}

/** Installs what is missing where it can: all of it on Debian as root, otherwise the browser alone. */
export async function installMachine() {
  const missing = await missingPrograms()
  if (missing.length > 0 && has('apt-get') && process.getuid?.() === 0) {
    console.log(`Устанавливаю ${missing.join(', ')}…`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-qq'], { env })
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env })
  }
  if (!(await hasBrowser())) await run('npx', ['playwright', 'install', 'chromium'])
}
