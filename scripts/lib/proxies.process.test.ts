import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { isInstalled, nginxArgs } from './nginx.ts'
import { freePort } from './services.mjs'

/** The proxies that we ship, where they are installed, in front of a server that streams, counts and echoes. */

const MB = 1024 * 1024

let folder = ''
let upstream: Server
let release = () => {}
let child: ChildProcess | undefined
let longest = 0
beforeEach(async () => {
  longest = 0
  folder = mkdtempSync(join(tmpdir(), 'symbol-proxy-'))
  const held = new Promise<void>((done) => {
    release = done
  })
  upstream = createServer(async (request, response) => {
    if (request.url === '/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: first\n\n')
      await held
      response.end('data: last\n\n')
      return
    }
    let bytes = 0
    try {
      for await (const chunk of request) bytes += (chunk as Buffer).length
    } catch {
      return
    }
    longest = Math.max(longest, bytes)
    response.end(JSON.stringify({ bytes, from: request.headers['x-forwarded-for'], host: request.headers.host }))
  })
  const sockets = new WebSocketServer({ server: upstream, path: '/api/websocket' })
  sockets.on('connection', (socket) => socket.on('message', (text) => socket.send(`echo ${text}`)))
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
})
afterEach(async () => {
  release()
  const running = child
  child = undefined
  if (running && running.exitCode === null) {
    running.kill('SIGTERM')
    await once(running, 'exit')
  }
  upstream.closeAllConnections()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

async function startNginx(): Promise<string> {
  const port = await freePort()
  const upstreams = [(upstream.address() as AddressInfo).port, await freePort()] as const
  child = spawn('nginx', nginxArgs({ folder, port, upstreams }), { stdio: 'ignore' })
  return `127.0.0.1:${port}`
}

async function startCaddy(): Promise<string> {
  const port = await freePort()
  const env = {
    PATH: '/usr/bin:/usr/local/bin',
    HOME: folder,
    APP_HOST: `http://127.0.0.1:${port}`,
    APP_UPSTREAM: '127.0.0.1',
    APP_PORT: String((upstream.address() as AddressInfo).port),
    CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
  }
  child = spawn('caddy', ['run', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'], { env, stdio: 'ignore' })
  return `127.0.0.1:${port}`
}

for (const [name, start] of [
  ['nginx', startNginx],
  ['caddy', startCaddy],
] as const) {
  describe.skipIf(!isInstalled(name))(`${name} with our file`, () => {
    let address = ''
    beforeEach(async () => {
      address = await start()
      await expect
        .poll(() =>
          fetch(`http://${address}/`).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(200)
    })

    test('passes a file of 20 MB and refuses more than 25 MB (S10.264)', async () => {
      const send = (bytes: number) =>
        fetch(`http://${address}/api/files`, { method: 'POST', body: Buffer.alloc(bytes) })
      const passed = await send(20 * MB + 1000)
      expect(await passed.json()).toEqual({
        bytes: 20 * MB + 1000,
        from: '127.0.0.1',
        host: expect.stringContaining('127.0.0.1'),
      })
      // Caddy of Debian says 502 where nginx says 413; either may close the connection before its answer is read.
      const refused = await send(26 * MB).catch(() => null)
      expect([413, 502, undefined]).toContain(refused?.status)
      expect(longest).toBe(20 * MB + 1000)
    })

    test('passes the start of a stream before its end is written (S10.264)', async () => {
      const { body } = await fetch(`http://${address}/stream`)
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      const first = await reader.read()
      expect(new TextDecoder().decode(first.value)).toBe('data: first\n\n')
      release()
      const last = await reader.read()
      expect(new TextDecoder().decode(last.value)).toBe('data: last\n\n')
    })

    test('lets the websocket through (S10.264)', async () => {
      const socket = new WebSocket(`ws://${address}/api/websocket`)
      await once(socket, 'open')
      socket.send('hello')
      const [text] = await once(socket, 'message')
      expect(String(text)).toBe('echo hello')
      socket.terminate()
    })
  })
}

test.skipIf(!isInstalled('nginx'))('nginx says in Russian that no server can be reached (S10.548)', async () => {
  const address = await startNginx()
  upstream.closeAllConnections()
  upstream.close()
  const read = (path: string, method = 'GET') => fetch(`http://${address}${path}`, { method })
  const statusOf = () =>
    read('/').then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(statusOf).toBe(502)
  const page = await read('/')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(await page.text()).toContain('Обновите страницу через минуту.')
  for (const method of ['GET', 'POST']) {
    const call = await read('/api/threads', method)
    expect({ status: call.status, ...((await call.json()) as object) }).toEqual({
      status: 502,
      code: 'unavailable',
      message: 'Сервер сейчас не отвечает. Повторите через минуту.',
    })
  }
})
