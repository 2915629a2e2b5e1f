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
])('%s is private', (host) => {
  expect(isPrivateHost(host)).toBe(true)
})

test.each([
  '1.1.1.1',
  '172.32.0.1',
  '192.0.1.1',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2001:200::1',
  '2001:67c::1',
  '2a02:6b8::2:242',
  '3ffd::1',
  'example.ru',
  'localhost.example.ru',
])('%s is public (S10.611)', (host) => {
  expect(isPrivateHost(host)).toBe(false)
})

/** The first and the last address of each block. */
test.each([
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::ffff:ffff'],
  ['::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:30::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', '5fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::ffff:1.1.1.1', 'fe80::1%eth0'],
])('nothing from %s to %s is public (S10.611)', (first, last) => {
  expect([first, last].map(isPrivateHost)).toEqual([true, true])
})

// A URL normalises these forms, so that the check sees the address that would be asked.
test.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '127.0.0.1.', '①②⑦.0.0.1', '[::ffff:127.0.0.1]'])(
  'a host written as %s is private',
  (host) => {
    expect(isPrivateHost(new URL(`http://${host}/`).hostname)).toBe(true)
  },
)

const lookups = (addresses: { address: string; family: number }[], options = {}) =>
  new Promise((done, fail) => {
    const find = createPublicLookup(
      { lookup: async () => addresses, isPrivate: isPrivateHost },
      { userId: 'anna', signal: new AbortController().signal },
    )
    find('site.example', options, (error, address) => (error ? fail(error) : done(address)))
  })

test('a name with any private address is refused, others are pinned (S10.313)', async () => {
  const open = { address: '93.184.216.34', family: 4 }
  await expect(lookups([open])).resolves.toBe('93.184.216.34')
  await expect(lookups([open], { all: true })).resolves.toEqual([open])
  await expect(lookups([open, { address: '10.0.0.1', family: 4 }])).rejects.toThrow('leads inside')
  await expect(lookups([{ address: '::ffff:10.0.0.1', family: 6 }])).rejects.toThrow('leads inside')
  await expect(lookups([])).rejects.toThrow('leads inside')
  await expect(lookups([open], { family: 6 })).rejects.toThrow('leads inside')
})
