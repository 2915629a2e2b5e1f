import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'

const http = new HttpAgent({ keepAlive: true })
const https = new HttpsAgent({ keepAlive: true })

/** A body of known length that is produced while it is sent. */
export interface StreamedBody {
  length: number
  chunks: () => AsyncIterable<Uint8Array>
}

type Body = string | Uint8Array | StreamedBody

/** Posts JSON and resolves with the response headers. Half the CPU of `fetch` for a response of many chunks. */
export function postJson(
  url: URL,
  headers: Record<string, string>,
  body: Body,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return postBody(url, { 'content-type': 'application/json', ...headers }, body, signal)
}

/** Posts a body whose type is in the headers. */
export function postBody(
  url: URL,
  headers: Record<string, string>,
  body: Body,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const isStreamed = typeof body === 'object' && 'chunks' in body
    const request = send(url, {
      method: 'POST',
      agent: url.protocol === 'https:' ? https : http,
      headers: { 'content-length': isStreamed ? body.length : Buffer.byteLength(body), ...headers },
      signal,
    })
    request.once('response', done)
    request.on('error', fail)
    // A provider may respond before it has read the body: the promise is then settled and this failure is ignored.
    if (isStreamed) pipeline(body.chunks(), request).catch(fail)
    else request.end(body)
  })
}
