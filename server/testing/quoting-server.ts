import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A word that stands for what people write; it must be nowhere in a log, a trace or a figure. */
export const MARK = 'Qzuniquemarker'

type Fail = (response: ServerResponse, quote: string) => void

const answers =
  (status: number, body: (quote: string) => string, type = 'application/json'): Fail =>
  (response, quote) =>
    void response.writeHead(status, { 'content-type': type, 'x-request-id': 'req_0123456789' }).end(body(quote))

/** The mark stands where services put their texts, and also where they put their codes. */
const errorBody = (status: number) => (quote: string) =>
  JSON.stringify({
    error: { message: `Cannot process: ${quote}`, type: MARK, code: MARK, param: MARK, status: MARK, quote },
    ...{ type: 'error', message: quote, detail: quote, code: status },
  })

const streams =
  (...parts: ((quote: string) => string)[]): Fail =>
  (response, quote) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const part of parts) response.write(part(quote))
    response.end()
  }

const chunk = (text: string) =>
  `data: ${JSON.stringify({
    choices: [{ delta: { content: text } }],
    candidates: [{ content: { parts: [{ text }] } }],
    ...{ type: 'content_block_delta', delta: { type: 'text_delta', text } },
  })}\n\n`
const errorEvent = (quote: string) =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: MARK, code: 500, message: quote } })}\n\n`

/** Every way in which a service fails; each quotes the request if it says anything at all. */
export const failures: Record<string, Fail> = {
  '400 with a quote': answers(400, errorBody(400)),
  '401': answers(401, errorBody(401)),
  '404': answers(404, errorBody(404)),
  '413 as text': answers(413, (quote) => `too large: ${quote}`, 'text/plain'),
  '429': answers(429, errorBody(429)),
  '500 with a quote': answers(500, errorBody(500)),
  '502 as HTML': answers(502, (quote) => `<html><title>${MARK}</title><body>${quote}</body></html>`, 'text/html'),
  '200 as HTML': answers(200, (quote) => `<html><body>${quote}</body></html>`, 'text/html'),
  '200 with broken JSON': answers(200, (quote) => `{"text": ${quote}`),
  '200 with another form': answers(200, (quote) =>
    JSON.stringify({ results: quote, data: quote, choices: quote, web: quote }),
  ),
  'a stream with broken JSON': streams(() => `data: {"choices": ${MARK}\n\n`),
  'a stream with another form': streams(
    () => `data: ${JSON.stringify({ type: 7, choices: MARK, candidates: MARK })}\n\n`,
  ),
  'an error in the stream': streams(() => chunk('Начало'), errorEvent),
  'an error as the first event': streams(errorEvent),
  'a stream cut off': (response, quote) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk(quote), () => response.destroy())
  },
  'a closed connection': (response) => void response.destroy(),
  silence: () => {},
}

/** A service over real HTTP that fails in the chosen way and quotes what it was asked. */
export async function startQuotingServer() {
  let fail: Fail = () => {}
  let requests = 0
  const server = createServer(async (request, response) => {
    const quote = `${decodeURIComponent(request.url ?? '')} ${await textOf(request)}`
    requests += 1
    fail(response, quote)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    failBy: (next: Fail) => {
      fail = next
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
