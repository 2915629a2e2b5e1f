import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedAudio {
  fields: Record<string, string>
  /** All values of a field that may be repeated. */
  all: (field: string) => string[]
  fileName: string
  audio: Buffer
}

export type TranscribeScript = (response: ServerResponse, received: ReceivedAudio) => void | Promise<void>

export interface FakeTranscriber {
  baseUrl: string
  received: ReceivedAudio[]
  /** The next requests are answered by these, in order; the last one stays. */
  play: (...scripts: TranscribeScript[]) => void
  close: () => Promise<void>
}

export async function startFakeTranscriber(): Promise<FakeTranscriber> {
  const received: ReceivedAudio[] = []
  let scripts: TranscribeScript[] = [transcribes('Привет')]
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const type = String(request.headers['content-type'])
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    const file = form.get('file') as File
    const texts = [...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    const call = {
      fields: Object.fromEntries(texts),
      all: (field: string) => texts.filter(([name]) => name === field).map(([, value]) => value),
      fileName: file.name,
      audio: Buffer.from(await file.arrayBuffer()),
    }
    received.push(call)
    const script = scripts.length > 1 ? scripts.shift() : scripts[0]
    await script?.(response, call)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    play: (...next) => {
      scripts = next
      received.length = 0
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const answer = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** One segment for each text, a second long. */
export function transcribes(...texts: string[]): TranscribeScript {
  const segments = texts.map((text, i) => ({ start: i, end: i + 1, text: ` ${text}` }))
  return (response) => answer(response, 200, { text: texts.join(' '), duration: texts.length, segments })
}

export function transcribesPlainly(text: string, usage?: object): TranscribeScript {
  return (response) => answer(response, 200, { text, usage })
}

export function rejectsTranscription(status: number, message = 'no'): TranscribeScript {
  return (response) => answer(response, status, { error: { message } })
}

/** Does not answer until `wake` is called. */
export function hangs(): { script: TranscribeScript; wake: () => void } {
  let waiting: ServerResponse | null = null
  return {
    script: (response) => {
      waiting = response
    },
    wake: () => {
      if (waiting) answer(waiting, 200, { text: 'слишком поздно' })
    },
  }
}
