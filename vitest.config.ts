import { defaultExclude, defineConfig } from 'vitest/config'
import { SlowFirst } from './scripts/lib/slow-first.ts'
import { icons } from './scripts/lib/vite-icons.mjs'

// `npm test` runs all; `npm run test:fast` leaves out single tests with the tag «slow» (more than a quarter of a second)
// and files named so, which start processes or try thousands of examples and are not even loaded.
const slow = ['**/*.slow.test.{ts,tsx}']
const isFast = process.env.TEST_FAST === '1'

// With projects, --exclude of the command line reaches none of them.
const excluded = process.env.TEST_EXCLUDE?.split(' ') ?? []

export default defineConfig({
  plugins: [icons()],
  test: {
    exclude: [...defaultExclude, ...(isFast ? slow : []), ...excluded],
    tags: [{ name: 'slow', description: 'Left out of the fast suite' }],
    ...(isFast ? { tagsFilter: ['!slow'] } : {}),
    // A list: as a plain name the one of a project would take its place.
    setupFiles: ['./server/testing/property-seed.ts'],
    // Each worker holds an embedded database of its own, about 0.4 GB. Not --maxWorkers: it reaches no project either.
    maxWorkers: Number(process.env.TEST_WORKERS) || 2,
    // Short-lived objects by the million: a larger space for them is swept less often, a twentieth of the time.
    execArgv: ['--max-semi-space-size=64'],
    // What was translated in an earlier run is read, not translated again.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    sequence: { sequencer: SlowFirst },
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
          name: 'plain',
          include: ['{contract,server,web,scripts,drill,bench}/**/*.test.ts'],
          globalSetup: './server/testing/snapshot.ts',
          setupFiles: ['./server/testing/close-left-open.ts'],
        },
      },
      {
        // What is drawn: these pay for a DOM, and not for a database.
        extends: true,
        test: {
          name: 'components',
          include: ['web/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: './web/testing/setup.ts',
        },
      },
    ],
  },
})
