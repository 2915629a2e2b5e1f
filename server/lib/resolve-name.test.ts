import { lookup } from 'node:dns'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { createNameResolver } from './resolve-name.ts'
import { startFakeDns } from './testing/fake-dns.ts'

const both = { addresses: ['93.184.216.34', '2606:2800:220:1::1946'] }
const dns = await closeAfterTests(
  startFakeDns((name) => {
    if (name.endsWith('silent.example')) return null
    if (name === 'both.example') return both
    if (name === 'alias.example') return { cname: 'both.example', ...both }
    if (name === 'inside.example') return { addresses: ['10.0.0.7'] }
    return undefined
  }),
)
beforeEach(() => {
  dns.asked.length = 0
})

const open = (settings = {}) => createNameResolver({ servers: [dns.server], tryMs: 200, ms: 400, ...settings })
const as = (userId: string, signal = new AbortController().signal) => ({ userId, signal })

test('a name has its addresses of both families, IPv4 first (S10.1220)', async () => {
  const found = [
    { address: '93.184.216.34', family: 4 },
    { address: '2606:2800:220:1::1946', family: 6 },
  ]
  await expect(open()('both.example', as('anna'))).resolves.toEqual(found)
  await expect(open()('alias.example', as('anna'))).resolves.toEqual(found)
})

test('neither the hosts file nor search domains are used (S10.1220)', async () => {
  const resolve = open()
  for (const name of ['localhost', 'both', 'unknown.example'])
    await expect(resolve(name, as('anna'))).rejects.toThrow('no address')
  expect(dns.asked.filter(({ name }) => name.includes('.both') || name.startsWith('both.'))).toEqual([])
})

test('an answer is used again for a while (S10.1221)', async () => {
  const resolve = open({ keptNames: 2 })
  for (const name of ['both.example', 'BOTH.example', 'nowhere.example', 'nowhere.example'])
    await resolve(name, as('anna')).catch(() => undefined)
  expect(dns.asked).toHaveLength(4)
  await resolve('alias.example', as('anna'))
  await resolve('both.example', as('anna'))
  expect(dns.asked).toHaveLength(8)
})

test('silent names take neither threads nor turns from others (S10.1221, S10.1222)', async () => {
  const resolve = open({ ms: 60_000, tryMs: 60_000 })
  const gone = new AbortController()
  const silent = Array.from({ length: 300 }, (_, n) =>
    resolve(`${n}.silent.example`, as(`thief ${n % 3}`, AbortSignal.any([gone.signal]))).catch(
      () => 'given up' as const,
    ),
  )
  // The threads that getaddrinfo needs are free, and so are turns of others.
  await new Promise<void>((done, fail) => lookup('localhost', (error) => (error ? fail(error) : done())))
  await expect(resolve('both.example', as('anna'))).resolves.toHaveLength(2)
  await wait(50)
  const names = new Set(dns.asked.flatMap(({ name }) => (name.endsWith('silent.example') ? [name] : [])))
  expect(names.size).toBe(6)
  gone.abort()
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['given up']))
  await expect(resolve('inside.example', as('thief 0'))).resolves.toHaveLength(1)
})

test('more than eight names wait, and a silent one ends (S10.1221)', async () => {
  const resolve = open()
  const silent = Array.from({ length: 12 }, (_, n) =>
    resolve(`${n}.silent.example`, as(`thief ${n}`)).catch((error: Error) => error.message),
  )
  await wait(100)
  expect(new Set(dns.asked.map(({ name }) => name)).size).toBe(8)
  await expect(resolve('both.example', as('anna'))).resolves.toHaveLength(2)
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['The name has no address']))
})
