import { expect, test } from 'vitest'
import { clientIp, networkOf } from './client-ip.ts'

test('without trusted proxies the forwarded header is ignored', () => {
  expect(clientIp('198.51.100.7', '203.0.113.1', 0)).toBe('198.51.100.7')
})

test('behind one proxy the last entry counts, whatever the caller wrote before it', () => {
  expect(clientIp('10.0.0.1', '1.1.1.1, 2.2.2.2, 203.0.113.9', 1)).toBe('203.0.113.9')
})

test('behind two proxies the second from the right counts', () => {
  expect(clientIp('10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', 2)).toBe('203.0.113.9')
})

test('a missing header falls back to the socket, and mapped addresses read as IPv4', () => {
  expect(clientIp('::ffff:198.51.100.7', undefined, 1)).toBe('198.51.100.7')
})

test('limits count IPv6 by its /64', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8:1:2:ffff::1')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9')
})
