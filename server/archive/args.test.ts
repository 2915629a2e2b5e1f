import { expect, test } from 'vitest'
import { readArchiveArgs } from './args.ts'

test('each command is read with what follows it (S10.256)', () => {
  expect(readArchiveArgs(['dump', '/tmp/x'])).toEqual({ command: 'dump', folder: '/tmp/x' })
  expect(readArchiveArgs(['backup'])).toEqual({ command: 'backup' })
  const restore = { command: 'restore', name: null, check: false, list: false, into: null }
  expect(readArchiveArgs(['restore', '--list'])).toEqual({ ...restore, list: true })
  expect(readArchiveArgs(['restore', 'NAME', '--check', '--into', 'postgres://a/b'])).toEqual({
    ...restore,
    ...{ name: 'NAME', check: true, into: 'postgres://a/b' },
  })
  expect(readArchiveArgs(['move', 'postgres://a/b', '--files'])).toMatchObject({ url: 'postgres://a/b', files: true })
})

test.each([
  [[]],
  [['pack']],
  [['dump']],
  [['dump', 'a', 'b']],
  [['backup', 'there']],
  [['restore', '--into', 'postgres://a/b']],
  [['restore', '--files']],
  [['move', 'mysql://a/b']],
  [['load', '--chek']],
])('%j is refused with an example', (args) => {
  expect(() => readArchiveArgs(args)).toThrow('npm run')
})
