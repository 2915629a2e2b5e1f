import { expect, test } from 'vitest'
import { readReconcileArgs } from './reconcile-args.ts'

test('without arguments the ledger is checked; --gateway takes a day', () => {
  expect(readReconcileArgs([])).toEqual({ since: null, apply: false, files: false, delete: false })
  expect(readReconcileArgs(['--gateway', '--since', '2026-11-01'])).toEqual({
    since: new Date('2026-11-01T00:00:00Z'),
    ...{ apply: false, files: false, delete: false },
  })
  expect(readReconcileArgs(['--files', '--delete'])).toMatchObject({ since: null, files: true, delete: true })
  expect(readReconcileArgs(['--gateway', '--apply', '--since=2026-11-01'])).toMatchObject({ apply: true })
})

test.each([
  [['--gateway']],
  [['--gateway', '--since', 'вчера']],
  [['--since', '2026-11-01']],
  [['--apply']],
  [['--delete']],
  [['--fiels']],
])('%j is refused with an example', (args) => {
  expect(() => readReconcileArgs(args)).toThrow('npm run reconcile')
})
