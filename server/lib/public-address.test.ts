import { expect, test } from 'vitest'
import { createPublicLookup, isPrivateHost } from './public-address.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.20.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '255.255.255.255',
  '::',
  '::1',
  '[::1]',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:53aa:64c:0:0:80ff:fffe',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  'localhost',
  'localhost.',
  'db.internal',
  'printer.local',
])('%s is inside', (host) => {
  expect(isPrivateHost(host)).toBe(true)
})

test.each(['1.1.1.1', '172.32.0.1', '2606:4700::1111', 'example.ru', 'localhost.example.ru'])(
  '%s is public',
  (host) => {
    expect(isPrivateHost(host)).toBe(false)
  },
)

// A URL normalises these forms, so that the check sees the address that would be asked.
test.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '127.0.0.1.', '①②⑦.0.0.1', '[::ffff:127.0.0.1]'])(
  'a host written as %s is inside',
  (host) => {
    expect(isPrivateHost(new URL(`http://${host}/`).hostname)).toBe(true)
  },
)

const lookups = (addresses: { address: string; family: number }[], options = {}) =>
  new Promise((done, fail) => {
    const find = createPublicLookup({ lookup: async () => addresses, isPrivate: isPrivateHost })
    find('site.example', options, (error, address) => (error ? fail(error) : done(address)))
  })

test('a name is refused when any of its addresses is inside, and otherwise pinned to what was checked', async () => {
  const open = { address: '93.184.216.34', family: 4 }
  await expect(lookups([open])).resolves.toBe('93.184.216.34')
  await expect(lookups([open], { all: true })).resolves.toEqual([open])
  await expect(lookups([open, { address: '10.0.0.1', family: 4 }])).rejects.toThrow('leads inside')
  await expect(lookups([{ address: '::ffff:10.0.0.1', family: 6 }])).rejects.toThrow('leads inside')
  await expect(lookups([])).rejects.toThrow('leads inside')
  await expect(lookups([open], { family: 6 })).rejects.toThrow('leads inside')
})
