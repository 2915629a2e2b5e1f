import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { publicNetworkAccess } from '#server/lib/public-address.ts'
import { createNameResolver } from '#server/lib/resolve-name.ts'
import { startFakeDns } from '#server/lib/testing/fake-dns.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { fetchPage, PageError, type PageFailure } from './fetch-page.ts'
import { type FakePage, startFakeWeb } from './testing/fake-web.ts'

const limits = { imageBytes: 10_000, textBytes: 100_000, pdfBytes: 200_000, ms: 400 }
const forever = new AbortController().signal

const web = await closeAfterTests(startFakeWeb({ '/page': '<title>Кофе</title>Текст' }))

const read = (address: string, signal = forever) =>
  fetchPage(address, signal, { userId: 'a' }, { reach: web.reach, limits })
const failure = (address: string): Promise<PageFailure | 'none'> =>
  read(address).then(
    () => 'none' as const,
    (error) => {
      if (error instanceof PageError) return error.kind
      throw error
    },
  )
const redirects = (to: string): FakePage => {
  return (response) => response.writeHead(302, { location: to }).end()
}
const sends = (type: string, body: string | Buffer, more: Record<string, string> = {}): FakePage => {
  return (response) => response.writeHead(200, { 'content-type': type, ...more }).end(body)
}
const text = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString()

test('a page is read with type and encoding, without sending personal data', async () => {
  web.put('/koi', sends('text/html; charset="koi8-r"', 'x', { 'set-cookie': 'a=1' }))
  expect(await read(web.at('/koi#part'))).toMatchObject({ url: web.at('/koi'), mime: 'text/html', charset: 'koi8-r' })
  expect(text(await read(web.at('/page')))).toBe('<title>Кофе</title>Текст')
  const { headers } = web.requests.at(-1) ?? {}
  expect(Object.keys(headers ?? {}).toSorted()).toEqual(
    ['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'user-agent'].toSorted(),
  )
})

test('compressed pages are unpacked', async () => {
  web.put('/gzip', sends('text/html', gzipSync('сжато'), { 'content-encoding': 'gzip' }))
  web.put('/br', sends('text/plain', brotliCompressSync('туго'), { 'content-encoding': 'br' }))
  expect(text(await read(web.at('/gzip')))).toBe('сжато')
  expect(text(await read(web.at('/br')))).toBe('туго')
})

test.each([
  'ftp://site.example/page',
  'file:///etc/passwd',
  'data:text/html,hi',
  'javascript:alert(1)',
  'не адрес',
  'http://user:secret@site.example/',
  'http://site.example:22/',
  'http://10.0.0.1/',
  'http://2130706434/',
  'http://0x7f000002/',
  'http://0177.0.0.2/',
  'http://127.2/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[fd00:ec2::254]/',
  'http://169.254.169.254/latest/meta-data',
  'http://localhost/',
  'http://db.internal/',
])('%s is not asked', async (address) => {
  const before = web.requests.length
  // The addresses have no port, so standard ports are allowed here: only the host may be the reason to refuse.
  const open = { ...web.reach, allowsPort: (port: string) => port === '' }
  await expect(fetchPage(address, forever, { userId: 'a' }, { reach: open, limits })).rejects.toMatchObject({
    kind: 'address',
  })
  expect(web.requests).toHaveLength(before)
})

test('a host name with a private address is not requested', async () => {
  expect(await failure(web.at('/page', 'inside.example'))).toBe('down')
  expect(await failure(web.at('/page', 'metadata.example'))).toBe('down')
})

test('a name is asked at the checked address, even if it changes (S10.611)', async () => {
  const answers = ['127.0.0.1', '169.254.169.254', '127.0.0.1', '10.0.0.7']
  const lookup = async () => [{ address: answers.shift() ?? '10.0.0.7', family: 4 }]
  const reach = { ...web.reach, lookup }
  const before = web.requests.length
  expect(text(await fetchPage(web.at('/page'), forever, { userId: 'a' }, { reach, limits }))).toContain('Текст')
  expect(answers).toHaveLength(3)
  await expect(fetchPage(web.at('/page'), forever, { userId: 'a' }, { reach, limits })).rejects.toBeInstanceOf(
    PageError,
  )
  web.put('/again', redirects(web.at('/page')))
  await expect(fetchPage(web.at('/again'), forever, { userId: 'a' }, { reach, limits })).rejects.toBeInstanceOf(
    PageError,
  )
  expect(answers).toEqual([])
  expect(web.requests.slice(before).map(({ path }) => path)).toEqual(['/page', '/again'])
})

test('each redirect is checked again (S10.313)', async () => {
  web.put('/moved', redirects('/page'))
  web.put('/to-site', redirects(web.at('/moved', 'other.example')))
  expect((await read(web.at('/to-site'))).url).toBe(web.at('/page', 'other.example'))
  web.put('/to-inside', redirects('http://10.0.0.1/'))
  web.put('/to-metadata', redirects('http://169.254.169.254/latest/meta-data'))
  web.put('/to-decimal', redirects('http://2130706434/'))
  web.put('/to-file', redirects('file:///etc/passwd'))
  web.put('/to-name', redirects(web.at('/page', 'inside.example')))
  expect(await failure(web.at('/to-inside'))).toBe('address')
  expect(await failure(web.at('/to-metadata'))).toBe('address')
  expect(await failure(web.at('/to-decimal'))).toBe('address')
  expect(await failure(web.at('/to-file'))).toBe('address')
  expect(await failure(web.at('/to-name'))).toBe('down')
})

test('more than three redirects are not followed', async () => {
  for (const n of [1, 2, 3, 4]) web.put(`/hop${n}`, redirects(n === 1 ? '/page' : `/hop${n - 1}`))
  expect(await failure(web.at('/hop3'))).toBe('none')
  expect(await failure(web.at('/hop4'))).toBe('redirects')
})

test('a page that is too large is given up (S10.313)', async () => {
  web.put('/says-large', sends('text/html', 'x', { 'content-length': '100001' }))
  web.put('/endless', (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const more = setInterval(() => response.write(Buffer.alloc(50_000, 'x')), 1)
    response.once('close', () => clearInterval(more))
  })
  web.put('/pdf', sends('application/pdf', Buffer.alloc(150_000)))
  expect(await failure(web.at('/says-large'))).toBe('large')
  expect(await failure(web.at('/endless'))).toBe('large')
  expect(await failure(web.at('/pdf'))).toBe('none')
})

test('a page that unpacks to far more than it sends fails (S10.313)', async () => {
  web.put('/bomb', sends('text/html', gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }))
  expect(await failure(web.at('/bomb'))).toBe('large')
})

test('other types, errors and unknown packings are not read (S10.313)', async () => {
  web.put('/image', sends('image/png', 'x'))
  web.put('/program', sends('application/octet-stream', 'x'))
  web.put('/untyped', (response) => response.writeHead(200).end('x'))
  web.put('/zstd', sends('text/html', 'x', { 'content-encoding': 'zstd' }))
  web.put('/broken', sends('text/html', 'not gzip', { 'content-encoding': 'gzip' }))
  web.put('/forbidden', (response) => response.writeHead(403, { 'content-type': 'text/html' }).end('робот?'))
  expect(await failure(web.at('/image'))).toBe('type')
  expect(await failure(web.at('/program'))).toBe('type')
  expect(await failure(web.at('/untyped'))).toBe('type')
  expect(await failure(web.at('/zstd'))).toBe('type')
  expect(await failure(web.at('/broken'))).toBe('down')
  expect(await failure(web.at('/forbidden'))).toBe('status')
  expect(await failure(web.at('/absent'))).toBe('status')
})

test('a page that is silent or drips is given up in time (S10.313)', async () => {
  web.put('/silent', () => {})
  web.put('/drips', (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const drip = setInterval(() => response.write('x'), 20)
    response.once('close', () => clearInterval(drip))
  })
  expect(await failure(web.at('/silent'))).toBe('timeout')
  expect(await failure(web.at('/drips'))).toBe('timeout')
})

test('a stop ends the reading at once', async () => {
  web.put('/waits', () => {})
  const stop = new AbortController()
  const reading = read(web.at('/waits'), stop.signal)
  stop.abort(new Error('stopped'))
  await expect(reading).rejects.toThrow('stopped')
})

test('names of strangers are asked of DNS and may not be private (S10.1220)', async () => {
  const dns = await closeAfterTests(startFakeDns(() => ({ addresses: ['10.0.0.7'] })))
  const reach = { ...publicNetworkAccess, lookup: createNameResolver({ servers: [dns.server] }) }
  const reading = fetchPage('http://inside.example/', forever, { userId: 'a' }, { reach, limits })
  await expect(reading).rejects.toMatchObject({ kind: 'down' })
  expect(dns.asked.map(({ name }) => name)).toEqual(['inside.example', 'inside.example'])
})
