import { Agent, request } from 'node:http'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { listen } from '#server/testing/port.ts'
import { TEST_ORIGIN } from '#server/testing/visitor.ts'

const app = await testApp()
const server = await closeAfterTests(listen(app))

const body = Buffer.alloc(300 * 1024, 'x')

function send(agent: Agent, method: string, path: string, type: string): Promise<{ status: number; text: string }> {
  return new Promise((done, fail) => {
    const headers = { origin: TEST_ORIGIN, 'content-type': type, 'content-length': body.length }
    const sent = request({ port: server.port, host: '127.0.0.1', method, path, agent, headers })
    sent.once('error', fail)
    sent.once('response', async (answer) => {
      let text = ''
      for await (const chunk of answer.setEncoding('utf8')) text += chunk
      done({ status: answer.statusCode ?? 0, text })
    })
    sent.end(body)
  })
}

const calls = Object.values(api)
  .flatMap((section) => Object.values<Endpoint>(section))
  .filter(({ method }) => method !== 'GET')
const paths = [
  ...new Set(calls.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, crypto.randomUUID())}`)),
]

test('every call refuses a stranger, and the connection serves on (S10.540)', async () => {
  expect(paths.length).toBeGreaterThan(100)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<unknown>()
  agent.on('free', (socket) => sockets.add(socket))
  for (const call of [...paths, 'POST /api/nowhere', 'PUT /elsewhere']) {
    const [method = '', path = ''] = call.split(' ')
    for (const type of ['application/json', 'multipart/form-data; boundary=x']) {
      const { status, text } = await send(agent, method, path, type)
      const answered = { call, status, message: JSON.parse(text || '{}').message }
      expect(answered).toEqual({ call, status: expect.any(Number), message: expect.stringMatching(/\S/) })
      expect(status, call).toBeGreaterThanOrEqual(400)
    }
  }
  expect(sockets.size).toBe(1)
  agent.destroy()
})
