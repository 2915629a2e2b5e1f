import { defineConfig } from 'vitest/config'
import { LongFirst } from './scripts/lib/long-first.ts'
import { ON_POSTGRES } from './scripts/lib/test-plan.mjs'
import { icons } from './scripts/lib/vite-icons.mjs'

// The suffix of a test file says what its tests need: `x.test.ts` nothing, `x.test.tsx` a DOM, `x.api.test.ts` a
// database, `x.postgres.test.ts` a real Postgres, `x.process.test.ts` processes that it starts, `x.examples.test.ts` the
// time for thousands of examples. `npm test` runs all of them, `npm run test:fast` the first two.
const everywhere = '{contract,server,web,scripts,drill,bench}'
// On the embedded database `npm test` leaves out what it then runs on Postgres.
const isElsewhere = process.env.TEST_HAS_POSTGRES === '1' && !process.env.TEST_DATABASE_URL
const elsewhere = isElsewhere ? ON_POSTGRES.map((start) => `${start}**`) : []
const withServer = {
  globalSetup: './server/testing/snapshot.ts',
  setupFiles: ['./server/testing/close-left-open.ts'],
}

export default defineConfig({
  plugins: [icons()],
  test: {
    // A list: as a plain name the one of a project would take its place.
    setupFiles: ['./server/testing/property-seed.ts', './server/testing/built-threads.ts'],
    // Each worker holds an embedded database of its own, about 0.4 GB. Not --maxWorkers: it reaches no project either.
    maxWorkers: Number(process.env.TEST_WORKERS) || 2,
    // Short-lived objects by the million: a larger space for them is swept less often, a twentieth of the time.
    execArgv: ['--max-semi-space-size=64'],
    // What was translated in an earlier run is read, not translated again.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    sequence: { sequencer: LongFirst },
    // Files share loaded modules: loading the server anew for each took a third of the time.
    isolate: false,
    // None of these proves that something is quick: another process may have one of the cores.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`${everywhere}/**/*.test.ts`],
          exclude: ['**/*.{api,postgres,process,examples}.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'component',
          include: ['web/**/*.test.tsx'],
          exclude: ['**/*.examples.test.tsx'],
          environment: 'jsdom',
          setupFiles: './web/testing/setup.ts',
        },
      },
      {
        extends: true,
        test: { name: 'api', include: ['server/**/*.api.test.ts'], exclude: elsewhere, ...withServer },
      },
      { extends: true, test: { name: 'postgres', include: ['server/**/*.postgres.test.ts'], ...withServer } },
      { extends: true, test: { name: 'process', include: [`${everywhere}/**/*.process.test.ts`], ...withServer } },
      { extends: true, test: { name: 'examples', include: [`${everywhere}/**/*.examples.test.{ts,tsx}`] } },
    ],
  },
})
