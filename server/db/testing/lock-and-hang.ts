import { once } from 'node:events'
import { lockFolder } from '../folder-lock.ts'

/** A process that tries to lock the folder on input, reports the result and keeps the lock. */
process.stdout.write('waiting\n')
await once(process.stdin, 'data')
try {
  await lockFolder(process.argv[2] ?? '')
  process.stdout.write('got it\n')
} catch (error) {
  process.stdout.write(`refused: ${(error as Error).message}\n`)
  process.exit(0)
}
