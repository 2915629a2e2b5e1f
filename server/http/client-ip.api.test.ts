import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { openMailbox } from '#server/email/mailbox.ts'
import { testApp } from '#server/testing/app.ts'
import { testFolder } from '#server/testing/folder.ts'
import { clientIp, networkOf } from './client-ip.ts'
import { drain, listen } from './listen.ts'

test('without trusted proxies the forwarded header is ignored', () => {
  expect(clientIp('198.51.100.7', '203.0.113.1', 0)).toBe('198.51.100.7')
})

test('behind a single proxy the last entry counts', () => {
  expect(clientIp('10.0.0.1', '1.1.1.1, 2.2.2.2, 203.0.113.9', 1)).toBe('203.0.113.9')
})

test('behind two proxies the second from the right counts', () => {
  expect(clientIp('10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', 2)).toBe('203.0.113.9')
})

test('without a header the socket’s address counts, mapped addresses as IPv4', () => {
  expect(clientIp('::ffff:198.51.100.7', undefined, 1)).toBe('198.51.100.7')
})

test('limits count IPv6 by its /64', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8:1:2:ffff::1')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9')
})

const folder = testFolder()
const tryOut = await testApp({ deps: { mailbox: await openMailbox(folder) } })
const production = await testApp({
  settings: {
    production: true,
    appUrl: 'https://chat.example.test',
    trustedProxies: 1,
    metricsToken: 'a token of metrics',
  },
})
const server = await listen(tryOut.app.fetch, { host: '127.0.0.1', port: 0 })
const port = (server.address() as AddressInfo).port
afterAll(async () => {
  await drain(server, 0)
})

/** As a browser under a rebound host name, or a proxy, sends it. */
function ask(path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((done, fail) => {
    request({ host: '127.0.0.1', port, path, headers }, (answer) => {
      let body = ''
      answer.on('data', (chunk) => {
        body += chunk
      })
      answer.on('end', () => done({ status: answer.statusCode ?? 0, body }))
    })
      .on('error', fail)
      .end()
  })
}

describe('the try-out', () => {
  test.each(['/', '/dev/mail.json', '/metrics', '/api/health', '/api/auth/get-session'])(
    'does not answer %s under a foreign host name',
    async (path) => {
      for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example']) {
        const { status, body } = await ask(path, { host })
        expect([host, status]).toEqual([host, 421])
        expect(body).toContain('только на своей машине')
      }
    },
  )

  test.each(['localhost', '127.0.0.1', '[::1]', 'chat.localhost'])('answers under the name %s', async (name) => {
    for (const host of [name, `${name}:${port}`]) {
      expect((await ask('/dev/mail.json', { host })).status).toBe(200)
      expect((await ask('/metrics', { host })).status).toBe(200)
    }
  })

  test.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['x-forwarded-host', 'chat.example.test'],
    ['x-forwarded-proto', 'https'],
    ['forwarded', 'for=203.0.113.7'],
    ['x-real-ip', '203.0.113.7'],
    ['via', '1.1 proxy'],
  ])('shows neither emails nor metrics through a proxy that sends %s', async (name, value) => {
    for (const path of ['/dev/mail', '/dev/mail.json', '/dev/mail/x', '/metrics'])
      expect((await ask(path, { host: 'localhost', [name]: value })).status).toBe(404)
  })

  test('shows no emails to a proxy that speaks HTTP/1.0', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /dev/mail.json HTTP/1.0\r\nhost: localhost\r\n\r\n')
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(/^HTTP\/1\.\d 404 /)
  })
})

describe('in production', () => {
  const ask = async (headers: Record<string, string>) =>
    (await production.app.request('http://10.0.0.5:3000/metrics', { headers })).status

  test('metrics need the token and a direct request, under any host name', async () => {
    expect(await ask({ authorization: 'Bearer a token of metrics' })).toBe(200)
    expect(await ask({})).toBe(401)
    expect(await ask({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await ask({ authorization: 'Bearer a token of metrics', 'x-forwarded-for': '203.0.113.7' })).toBe(404)
  })

  test('there is no mailbox', async () => {
    expect((await production.app.request('/dev/mail.json')).status).toBe(404)
  })
})
