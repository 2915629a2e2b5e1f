import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The baseline server: in its own process it only passes the bytes of the model on. It stores nothing, charges nothing
 * and has no users. Its page only appends plain text.
 */
const [upstream = '', pageFile] = process.argv.slice(2)
const page = pageFile ? readFileSync(pageFile) : ''
const { hostname, port } = new URL(upstream)
const agent = new Agent({ keepAlive: true, noDelay: true })

const server = createServer((incoming, outgoing) => {
  if (incoming.method === 'GET') {
    outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    return
  }
  incoming.socket.setNoDelay(true)
  const { host: _, ...headers } = incoming.headers
  const forwarded = request(
    { agent, hostname, port, path: incoming.url, method: incoming.method, headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    },
  )
  forwarded.once('error', () => outgoing.destroy())
  outgoing.once('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
