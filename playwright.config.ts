import { defineConfig, devices } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: '.cache/e2e',
  // A server on Postgres leaves the processor to the browser; three of them wait by turns. Four were no quicker.
  workers: process.env.TEST_DATABASE_URL ? 3 : 2,
  fullyParallel: false,
  // A browser on a busy machine may be late once; what fails twice has failed.
  retries: 1,
  // Generous: another process may have one of the cores, and a test that proves a time says so itself.
  timeout: 120_000,
  expect: { timeout: 40_000 },
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 900 },
    locale: 'ru-RU',
    timezoneId: 'Europe/Minsk',
    // Tests answer requests in the place of the server; only e2e/offline.spec.ts is about what the browser keeps.
    serviceWorkers: 'block',
    // Recording every first try took a third of the browser's time; what fails is tried again, and recorded then.
    trace: 'on-first-retry',
    launchOptions: {
      ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
    },
  },
})
