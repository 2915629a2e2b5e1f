import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: './server/testing/snapshot.ts',
    setupFiles: './server/testing/property-seed.ts',
    // Each worker holds an embedded database of its own, about 0.4 GB.
    maxWorkers: 2,
    // Files share loaded modules: loading the server anew for each took a third of the time.
    isolate: false,
    testTimeout: 15_000,
    hookTimeout: 30_000,
  },
})
