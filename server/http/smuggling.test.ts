import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Hono } from 'hono'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { listen } from './listen.ts'

/** Requests that a proxy may take for one and a server for two. The second, hidden one must never be served. */

let served: string[] = []
const app = new Hono()
app.all('*', async (c) => {
  served.push(c.req.path)
  return c.text(c.req.path === '/read' ? await c.req.text() : 'refused')
})
const server = await closeAfterTests(listen(app.fetch, { host: '127.0.0.1', port: 0 }))
beforeEach(() => {
  served = []
})
afterAll(async () => {
  server.closeAllConnections()
})

async function send(bytes: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.end(Buffer.from(bytes, 'latin1'))
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  return text
}

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n'
const chunked = `0\r\n\r\n${HIDDEN}`
const length = `Content-Length: ${chunked.length}`

const heads = {
  'a length and chunks': `${length}\r\nTransfer-Encoding: chunked`,
  'chunks and a length': `Transfer-Encoding: chunked\r\n${length}`,
  'a space before the colon': `${length}\r\nTransfer-Encoding : chunked`,
  'a tab before the colon': `${length}\r\nTransfer-Encoding\t: chunked`,
  'a vertical tab before the value': `${length}\r\nTransfer-Encoding: \x0bchunked`,
  'a folded header': `${length}\r\nTransfer-Encoding:\r\n chunked`,
  'a header folded into the one before': `${length}\r\nX: x\r\n Transfer-Encoding: chunked`,
  'an unknown encoding': `${length}\r\nTransfer-Encoding: xchunked`,
  'two encodings': `${length}\r\nTransfer-Encoding: chunked, identity`,
  'two headers of encodings': `${length}\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked`,
  'an encoding in quotes': `${length}\r\nTransfer-Encoding: "chunked"`,
  'a line that ends without a return': `${length}\r\nX: x\nTransfer-Encoding: chunked`,
  'a line that ends without a line feed': `${length}\r\nX: x\rTransfer-Encoding: chunked`,
  'a null in a header': `${length}\r\nX: x\0Transfer-Encoding: chunked`,
  'a name with an underscore': `${length}\r\nTransfer_Encoding: chunked`,
}

test.each(Object.entries(heads))('%s do not hide a request (S10.546)', async (_name, lines) => {
  for (const path of ['/read', '/refused']) {
    const answer = await send(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n\r\n${chunked}`)
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400)/)
    expect(served).not.toContain('/hidden')
  }
})

test.each([
  'Content-Length: 0\r\nContent-Length: 5',
  'Content-Length: 5, 5',
  'Content-Length: +5',
  'Content-Length: -5',
  'Content-Length: 0x5',
  'Content-Length: 5 5',
  'Content-Length: 5\x0b',
  'Content-Length : 5',
  'Content-Length: 99999999999999999999',
])('no request is served by a doubtful length: %j (S10.546)', async (line) => {
  const answer = await send(`POST /read HTTP/1.1\r\nHost: localhost\r\n${line}\r\n\r\n${HIDDEN}`)
  expect(answer).toMatch(/^(HTTP\/1\.1 400|$)/)
  expect(served).not.toContain('/hidden')
})

test.each([
  `0x5\r\nhello\r\n0\r\n\r\n`,
  `+5\r\nhello\r\n0\r\n\r\n`,
  `5 \r\nhello\r\n0\r\n\r\n`,
  `5\nhello\r\n0\r\n\r\n`,
  `5;a\nb\r\nhello\r\n0\r\n\r\n`,
  `5\r\nhelloXX0\r\n\r\n`,
  `10000000000000005\r\nhello\r\n0\r\n\r\n`,
  `5\r\nhello\r\n0\r\nX: x\r\n \r\n`,
])('a body of doubtful chunks ends the connection: %j (S10.546)', async (body) => {
  for (const path of ['/read', '/refused']) {
    served = []
    await send(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${body}${HIDDEN}`)
    expect(served).not.toContain('/hidden')
  }
})

test.each([
  'Host: localhost\r\nHost: evil.example',
  '',
  'Host: localhost/hidden?',
  'Host: user@evil.example',
  'Host: local host',
])('a doubtful host is refused: %j (S10.546)', async (line) => {
  expect(await send(`GET /read HTTP/1.1\r\n${line}${line ? '\r\n' : ''}\r\n`)).toMatch(/^HTTP\/1\.1 400/)
  expect(served).toEqual([])
})

test('a request after the end of its connection is not served (S10.546)', async () => {
  const body = 'x'.repeat(2 * 1024 * 1024)
  await send(`POST /refused HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}${HIDDEN}`)
  expect(served).toEqual(['/refused'])
})
