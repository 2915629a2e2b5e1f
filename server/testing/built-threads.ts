import { resolve } from 'node:path'
import { addBuiltFolder } from '#server/lib/worker-source.ts'

// Runs before each test file. `npm test` has built the same sources.
if (process.env.TEST_BUILD === '1') addBuiltFolder(resolve('dist'))
