import { closeLeftOpen } from './close-after-tests.ts'

// Before each test file: they share loaded modules, and globals too.
await closeLeftOpen()
