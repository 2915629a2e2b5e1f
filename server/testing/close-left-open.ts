import { closeLeftOpen } from './close-after-tests.ts'

// Runs before each test file, because files of a worker share modules and globals.
await closeLeftOpen()
