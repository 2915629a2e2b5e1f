import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { ensureBuilt } from './lib/built.mjs'
import { browserPath, prepareMachine } from './lib/machine.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { e2eWith, failedTests, judgeRetried } from './lib/retries.mjs'
import { exitCode } from './lib/run.mjs'
import { startPostgres, startRedis } from './lib/services.mjs'
import { runsShippedNode, SHIPPED_NODE, withShippedNode } from './lib/shipped-node.mjs'
import { notRun, ON_BOTH, ON_POSTGRES, planTests, whatToInstall } from './lib/test-plan.mjs'

/**
 * Everything, as a newcomer runs it: checks, tests on both databases, the short drill, e2e tests in a browser. Installs
 * what it needs; where it cannot, it runs what needs nothing of that, and fails.
 */

const REPORTS = '.cache/reports'
const started = Date.now()
await ensurePackages({ withTools: true })
// The checks need npm packages only, so they run while the system's programs and the other Node are installed.
const checked = exitCode('node', ['scripts/check.mjs'])
const missing = await prepareMachine()
const { steps, skipped } = planTests(missing)
const advice = whatToInstall(missing)
if (advice) console.error(advice)
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })

const totals = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const retried = []
const times = []

if (!runsShippedNode) await withShippedNode(process.env)
await step('check', () => checked)
await ensureBuilt()
const redis = missing.includes('redis-server') ? null : await startRedis()
const shared = { ...process.env, TEST_BUILD: '1', ...(redis ? { TEST_REDIS_URL: redis.url } : {}) }
const postgres = missing.includes('postgresql') ? null : await startPostgres()
// The drill waits half of its time for what it has killed, so it runs beside the tests, with its own services.
const drilled = steps.includes('drill') ? drill() : null
// A third worker works while others wait for a process they have started. Unit and component tests run once, on the
// shipped Node: the tests of calls and processes import the same code on this one.
await step('tests on the embedded database', () =>
  vitest('embedded', { ...shared, TEST_WORKERS: '3', ...(postgres ? { TEST_HAS_POSTGRES: '1' } : {}) }, [
    ...(runsShippedNode ? ['unit', 'component'] : []),
    ...['api', 'process', 'examples'],
  ]),
)
const shipped = runsShippedNode ? shared : await withShippedNode(shared)
if (postgres) {
  // More workers than cores: many tests wait here, for the database or for a minute without statements.
  const env = { ...shipped, TEST_DATABASE_URL: postgres.url, TEST_WORKERS: '4' }
  await step(`tests on Postgres and Node ${SHIPPED_NODE}`, () =>
    vitest('postgres', env, ['api', 'postgres'], [...ON_POSTGRES, ...ON_BOTH, '.postgres.test.ts']),
  )
}
if (drilled !== null) {
  await step('drill', () => drilled)
  console.log(readFileSync(`${REPORTS}/drill.log`, 'utf8'))
}
if (steps.includes('e2e')) {
  const browser = { CHROMIUM: await browserPath(), ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}) }
  await step('e2e tests', () => playwright({ ...shipped, ...browser }))
}
if (!runsShippedNode) {
  await step(`fast tests on Node ${SHIPPED_NODE}`, () =>
    vitest('shipped', { ...shipped, TEST_WORKERS: '3' }, ['unit', 'component']),
  )
  await step(`the start on Node ${SHIPPED_NODE}`, () =>
    vitest('shipped-start', shipped, ['process'], ['scripts/start.process.test.ts', '-t', 'npm start']),
  )
}
await postgres?.stop()
await redis?.stop()

const { lines, failure: tooManyRetried } = judgeRetried(retried)
for (const line of lines) console.log(line)
if (tooManyRetried) failures.push(tooManyRetried)
failures.push(...skipped.map(notRun))
for (const failure of failures) console.error(`✗ ${failure}`)
for (const line of times) console.log(line)
console.log(`${Math.round((Date.now() - started) / 1000)} s  in all`)
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exit(failures.length > 0 || totals.failed > 0 ? 1 : 0)

async function step(name, work) {
  console.log(`\n— ${name}`)
  const began = Date.now()
  const code = await work()
  times.push(`${Math.round((Date.now() - began) / 1000)} s  ${name}`)
  if (code !== 0) failures.push(`${name} ended with ${code}`)
}

async function vitest(name, env, projects, only = []) {
  const file = `${REPORTS}/${name}.json`
  const retriedFile = `${REPORTS}/${name}-retried.json`
  const reporters = ['dot', 'json', './scripts/lib/retries.mjs'].map((reporter) => `--reporter=${reporter}`)
  const code = await exitCode(
    'node_modules/.bin/vitest',
    // As with the e2e tests: a busy machine may be late once; what fails twice has failed. `npm run test:fast` is strict.
    [
      'run',
      ...only,
      ...projects.map((project) => `--project=${project}`),
      '--retry=1',
      ...reporters,
      `--outputFile.json=${file}`,
    ],
    { env: { ...env, RETRIED_FILE: retriedFile } },
  )
  const report = read(file)
  failures.push(...failedTests(report).map((test) => `${test} (${name})`))
  retried.push(...(read(retriedFile) ?? []).map((test) => `${test} (${name})`))
  count(report?.numPassedTests, report?.numFailedTests, report?.numPendingTests)
  return code
}

/** The short form: each scenario counts as a test. */
async function drill() {
  const file = `${REPORTS}/drill.json`
  const output = openSync(`${REPORTS}/drill.log`, 'w')
  const args = ['drill/drill.ts', '--short', '--as-is', '--beside', '--report', file]
  const code = await exitCode('node_modules/.bin/tsx', args, { stdio: ['ignore', output, output] })
  const report = read(file)
  count(report?.passed, report?.failed, report?.skipped)
  return code
}

async function playwright(env) {
  const file = `${REPORTS}/e2e.json`
  const code = await exitCode('node_modules/.bin/playwright', ['test', '--reporter=dot,json'], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  const report = read(file)
  const stats = report?.stats
  failures.push(...e2eWith('unexpected', report))
  retried.push(...e2eWith('flaky', report))
  count((stats?.expected ?? 0) + (stats?.flaky ?? 0), stats?.unexpected, stats?.skipped)
  return code
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

function count(passed = 0, failed = 0, skipped = 0) {
  totals.passed += passed
  totals.failed += failed
  totals.skipped += skipped
}
