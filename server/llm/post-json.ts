import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'

const http = new HttpAgent({ keepAlive: true })
const https = new HttpsAgent({ keepAlive: true })

/** Posts JSON and gives the answer as soon as its head is there. Half the cost of `fetch` for a body of many pieces. */
export function postJson(
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return postBody(url, { 'content-type': 'application/json', ...headers }, body, signal)
}

/** The same for a body of another type, which the headers name. */
export function postBody(
  url: URL,
  headers: Record<string, string>,
  body: string | Uint8Array,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, {
      method: 'POST',
      agent: url.protocol === 'https:' ? https : http,
      headers: { 'content-length': Buffer.byteLength(body), ...headers },
      signal,
    })
    request.once('response', done)
    request.once('error', fail)
    request.end(body)
  })
}
