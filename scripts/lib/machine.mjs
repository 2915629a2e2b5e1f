import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { PROGRAMS, planInstall } from './test-plan.mjs'

/** What the tests need beside npm packages: finds it, and installs it where that is possible. */

const EMOJI = '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf'

const foldersOf = (path) => path.split(delimiter).filter((folder) => folder !== '')

export function pathOf(command, path = process.env.PATH ?? '') {
  return (
    foldersOf(path)
      .map((folder) => join(folder, command))
      .find(isExecutable) ?? null
  )
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function postgresFolder() {
  const debian = '/usr/lib/postgresql'
  if (existsSync(debian)) {
    const newest = readdirSync(debian).sort((a, b) => Number(b) - Number(a))[0]
    if (newest && existsSync(join(debian, newest, 'bin/initdb'))) return join(debian, newest, 'bin')
  }
  const initdb = pathOf('initdb')
  return initdb && dirname(initdb)
}

/** The first is the same engine without windows, and needs a third less of the processor. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const LIKE_A_BROWSER = /chrom(e|ium)|headless.shell|^brave|^microsoft-edge/i
const IN_APPLICATIONS = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)

/** A browser of the machine that works, whatever its name is. `CHROMIUM` names one outside of PATH. */
export const chromiumPath = (env = process.env) => browsersOf(env).find(works) ?? null

/** The browser that people have. The shell is more than twice as fast, so its times say little about theirs. */
export const fullChromiumPath = (env = process.env) =>
  browsersOf(env).find((file) => !/headless.shell/.test(file ?? '') && works(file)) ?? null

function browsersOf({ PATH = '', CHROMIUM = '' }) {
  const others = foldersOf(PATH).flatMap((folder) =>
    (existsSync(folder) ? readdirSync(folder) : []).filter((name) => LIKE_A_BROWSER.test(name)).sort(),
  )
  const named = [...BROWSERS, ...others].map((name) => pathOf(name, PATH))
  return [...new Set([CHROMIUM, ...named, ...IN_APPLICATIONS])]
}

/** Ubuntu has a command `chromium-browser` that only says how to install it, so the answer counts, not the name. */
function works(file) {
  if (!file || !existsSync(file)) return false
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return status === 0 && /\b(Chrome|Chromium|Brave|Microsoft Edge)\b\D*\d+\./.test(stdout)
}

/** A browser of the machine, or the one that Playwright has downloaded. */
export async function browserPath() {
  const found = chromiumPath()
  if (found) return found
  const { chromium } = await import('@playwright/test')
  return works(chromium.executablePath()) ? chromium.executablePath() : null
}

const isThere = {
  'chromium-headless-shell': async () => (await browserPath()) !== null,
  postgresql: () => postgresFolder() !== null,
  'redis-server': () => pathOf('redis-server') !== null && pathOf('redis-cli') !== null,
  faketime: () => pathOf('faketime') !== null,
  procps: () => pathOf('ps') !== null,
  nginx: () => pathOf('nginx') !== null,
  pgbouncer: () => pathOf('pgbouncer') !== null,
  'poppler-utils': () => pathOf('pdftoppm') !== null,
  // Only Debian is known to lack it.
  'fonts-noto-color-emoji': () => !pathOf('apt-get') || existsSync(EMOJI),
}

/** What is missing, by the names of the Debian packages. */
async function missingPrograms() {
  const missing = []
  for (const name of Object.keys(PROGRAMS)) if (!(await isThere[name]())) missing.push(name)
  return missing
}

/** Installs what is missing where that is possible, and returns what is missing still. */
export async function prepareMachine() {
  const missing = await missingPrograms()
  const { packages, downloadsBrowser } = planInstall({
    missing,
    isRoot: process.getuid?.() === 0,
    hasApt: pathOf('apt-get') !== null,
  })
  if (packages.length > 0) installPackages(packages)
  if (downloadsBrowser && (await browserPath()) === null) downloadBrowser(packages.length > 0)
  return missing.length > 0 ? missingPrograms() : []
}

function installPackages(packages) {
  console.log(`Устанавливаю для тестов: ${packages.map((name) => PROGRAMS[name]).join(', ')}…`)
  const aptGet = (...args) => quiet('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args])
  const install = (names) => aptGet('install', '-y', '--no-install-recommends', ...names)
  aptGet('update')
  if (install(packages) === null) return
  // One that this system does not have must not keep the others away.
  for (const name of packages) {
    const failure = install([name])
    if (failure) console.error(`Не удалось установить ${PROGRAMS[name]}: ${failure}`)
  }
}

function downloadBrowser(isRoot) {
  console.log('Скачиваю браузер для тестов…')
  const failure = quiet('node_modules/.bin/playwright', ['install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
  if (failure) console.error(`Не удалось скачать браузер: ${failure}`)
}

/** Null, or the last line of the error of a failed command. */
function quiet(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, stderr, error } = spawnSync(command, args, { env, encoding: 'utf8' })
  if (status === 0) return null
  return stderr?.trim().split('\n').at(-1) || (error?.message ?? `код ${status}`)
}
