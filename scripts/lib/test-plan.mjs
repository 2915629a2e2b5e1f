/** What `npm test` installs and what it runs on a machine that lacks programs. Decisions only, nothing is looked up. */

/** Programs by the names of their Debian packages, with the names for people. */
export const PROGRAMS = {
  postgresql: 'PostgreSQL',
  'redis-server': 'Redis',
  'chromium-headless-shell': 'Chromium',
  faketime: 'faketime',
  procps: 'ps (procps)',
  nginx: 'nginx',
  pgbouncer: 'PgBouncer',
  'poppler-utils': 'pdftoppm (poppler-utils)',
  'fonts-noto-color-emoji': 'шрифт Noto Color Emoji',
}

const BROWSER = 'chromium-headless-shell'

/** All that is run. An entry without a step is a part of one: its tests leave themselves out without the program. */
const WORK = [
  { step: 'check', what: 'проверка кода и документов', needs: [] },
  { step: 'embedded', what: 'тесты на встроенной базе', needs: [] },
  { step: 'postgres', what: 'тесты на Postgres', needs: ['postgresql'] },
  { step: 'drill', what: 'учение с отказами', needs: ['postgresql', 'redis-server', 'procps'] },
  { step: 'e2e', what: 'сценарии в браузере', needs: [BROWSER] },
  { what: 'тесты с Redis', needs: ['redis-server'] },
  { what: 'тесты за nginx', needs: ['nginx'] },
  { what: 'тесты за PgBouncer', needs: ['pgbouncer'] },
  { what: 'страницы PDF через pdftoppm', needs: ['poppler-utils'] },
  { what: 'учение с чужими часами', needs: ['faketime'] },
  { what: 'эмодзи на снимках экрана', needs: ['fonts-noto-color-emoji'] },
]

/**
 * Tests of calls that run on a real Postgres, where there is one: what is paid, answers and races between connections.
 * The others run on the embedded database, which is emptied, not copied.
 */
export const ON_POSTGRES = [
  'answers',
  'payments',
  'promocodes',
  'images',
  'transcriptions',
  'minutes',
  'openai',
  'summaries',
  'projects',
  'imports',
]
  .map((name) => `server/features/${name}/`)
  .concat('server/jobs/', 'server/instances/', 'server/realtime/', 'server/email/', 'server/auth/roles')

/** Run on both: the ledger and what differs between the databases. */
export const ON_BOTH = ['server/features/billing/', 'server/db/']

/** The packages that apt installs, and whether the browser, which needs no rights, is downloaded if it is absent then. */
export function planInstall({ missing, isRoot, hasApt }) {
  return { packages: isRoot && hasApt ? missing : [], downloadsBrowser: missing.includes(BROWSER) }
}

/** The steps that can be run without the missing programs, and what is not run for the lack of which. */
export function planTests(missing) {
  const planned = WORK.map((work) => ({ ...work, lacks: work.needs.filter((name) => missing.includes(name)) }))
  return {
    steps: planned.filter(({ step, lacks }) => step && lacks.length === 0).map(({ step }) => step),
    skipped: planned.filter(({ lacks }) => lacks.length > 0).map(({ what, lacks }) => ({ what, lacks })),
  }
}

/** What the operator reads before the run: what to install. Null when nothing is missing. */
export function whatToInstall(missing) {
  if (missing.length === 0) return null
  const names = missing.map((name) => PROGRAMS[name]).join(', ')
  return `Не хватает программ: ${names}. Установите их (на Debian и Ubuntu под root npm test ставит их сам). Запускаю то, что работает без них.`
}

/** What the operator reads after the run. */
export const notRun = ({ what, lacks }) =>
  `не запускалось: ${what} (нет: ${lacks.map((name) => PROGRAMS[name]).join(', ')})`
