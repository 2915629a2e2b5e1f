import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** Speech services that take whole recordings. They check requests as the real ones do and keep no bytes of them. */

export interface HeardPhrase {
  start: number
  end: number
  text: string
  /** As the service numbers people; absent when it was not asked to tell them apart. */
  speaker?: number
}

interface Work {
  phrases: HeardPhrase[]
  /** How often the result is asked for before it is there. */
  polls: number
  fails: boolean
}

export interface FakeSpeech {
  baseUrl: string
  /** Operations that were begun, each of which is paid for. */
  begun: () => number
  /** The options of the last operation. */
  options: () => ReturnType<JSON['parse']>
  /** The size and the hash of the last recording. */
  sent: () => { bytes: number; sha256: string } | null
  /** Bytes of all requests that have come so far, of unfinished ones too. */
  received: () => number
  polled: () => number
  /** The next operations end so. */
  play: (work: Partial<Work>) => void
  /** Each of the next requests is answered by such a status. */
  fail: (...statuses: number[]) => void
  close: () => Promise<void>
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

interface Service {
  serve: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<unknown>
  errorBody: (status: number, message: string) => unknown
}

async function startService(path: string, { serve, errorBody }: Service) {
  const failures: number[] = []
  const server = createServer(async (request, response) => {
    const status = failures.shift()
    if (status !== undefined) {
      request.resume()
      return json(response, status, errorBody(status, 'no'))
    }
    return serve(request, response, new URL(request.url ?? '', 'http://local')).catch(() => response.destroy())
  })
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received: () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
    fail: (...statuses: number[]) => void failures.push(...statuses),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const usualWork: Work = { phrases: [{ start: 0, end: 1, text: 'Привет', speaker: 1 }], polls: 1, fails: false }

export const SPEECHKIT_KEY = 'AQVN-speech-secret'

/** Yandex SpeechKit v3: the recording is in the JSON in base64, results are a stream of JSON objects. */
export async function startFakeSpeechKit(): Promise<FakeSpeech> {
  let work = usualWork
  let [begun, polled] = [0, 0]
  let options: unknown = null
  let sent: { bytes: number; sha256: string } | null = null
  const operations = new Map<string, Work & { left: number }>()
  const errorBody = (code: number, message: string) => ({ error: { grpcCode: 5, httpCode: code, message } })

  async function begin(request: IncomingMessage, response: ServerResponse) {
    const body = await readWithContent(request)
    if (!body) return json(response, 400, errorBody(400, 'content is missing'))
    sent = body.content
    options = body.fields
    const id = `f8d${++begun}`
    operations.set(id, { ...work, left: work.polls })
    return json(response, 200, { id, description: 'STT v3 async recognition', done: false })
  }

  function get(response: ServerResponse, id: string) {
    polled += 1
    const operation = operations.get(id)
    if (!operation || operation.left > 0) {
      if (operation) operation.left -= 1
      return json(response, 404, errorBody(404, 'operation data is not ready'))
    }
    if (operation.fails) return json(response, 400, errorBody(400, 'bad audio'))
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(speechKitStream(operation.phrases))
  }

  const service = await startService('/stt/v3', {
    errorBody,
    serve: async (request, response, url) => {
      if (request.headers.authorization !== `Api-Key ${SPEECHKIT_KEY}`)
        return json(response, 401, errorBody(401, 'The token is invalid'))
      if (url.pathname.endsWith('/recognizeFileAsync')) return begin(request, response)
      return get(response, url.searchParams.get('operation_id') ?? '')
    },
  })
  return {
    ...service,
    begun: () => begun,
    options: () => options,
    sent: () => sent,
    polled: () => polled,
    play: (next) => {
      work = { ...usualWork, ...next }
    },
  }
}

/** Lower-case finals, each followed by an end of utterance and by the refined text; numbers of 64 bits as strings. */
function speechKitStream(phrases: readonly HeardPhrase[]): string {
  const counts = new Map<string, number>()
  const lines = phrases.flatMap(({ start, end, text, speaker = 0 }) => {
    const channelTag = String(speaker)
    const finalIndex = String(counts.get(channelTag) ?? 0)
    counts.set(channelTag, Number(finalIndex) + 1)
    const times = { startTimeMs: String(start * 1000), endTimeMs: String(end * 1000) }
    const words = text.split(' ').map((word) => ({ text: word.toLowerCase(), ...times }))
    const spoken = { alternatives: [{ words, text: text.toLowerCase(), ...times }], channelTag }
    const base = { sessionUuid: { uuid: 'u' }, audioCursors: { finalIndex }, responseWallTimeMs: '9', channelTag }
    const normalizedText = { alternatives: [{ words, text, ...times }], channelTag }
    return [
      { ...base, final: spoken },
      { ...base, eouUpdate: { timeMs: times.endTimeMs } },
      { ...base, finalRefinement: { finalIndex, normalizedText } },
    ]
  })
  return lines.map((result) => JSON.stringify({ result })).join('\n')
}

/** Hashes the recording in `content` while it arrives; the other fields come before it. */
async function readWithContent(request: IncomingMessage) {
  const hash = createHash('sha256')
  let [head, rest, bytes] = ['', '', 0]
  let isInside = false
  for await (const chunk of request.setEncoding('latin1')) {
    let text: string = chunk
    if (!isInside) {
      head += text
      const at = head.indexOf('"content":"')
      if (at < 0) continue
      isInside = true
      text = head.slice(at + '"content":"'.length)
      head = `${head.slice(0, at).replace(/,$/, '')}}`
    }
    const encoded = rest + text.replace(/"}$/, '')
    const whole = encoded.length - (encoded.length % 4)
    const decoded = Buffer.from(encoded.slice(0, whole), 'base64')
    rest = encoded.slice(whole)
    bytes += decoded.length
    hash.update(decoded)
  }
  if (!isInside) return null
  const fields: unknown = JSON.parse(Buffer.from(head, 'latin1').toString('utf8'))
  return { fields, content: { bytes, sha256: hash.digest('hex') } }
}

export const SALUTE_KEY = Buffer.from('speech:secret').toString('base64')

export interface FakeSalute extends FakeSpeech {
  tokenUrl: string
  tokens: { given: () => number; live: (ms: number) => void; revoke: () => void }
}

/** SaluteSpeech: a token of half an hour, an upload, a task that is polled, a file with the result. */
export async function startFakeSalute(): Promise<FakeSalute> {
  let work = usualWork
  let [begun, polled, given, lifeMs] = [0, 0, 0, 30 * 60_000]
  let options: unknown = null
  let sent: { bytes: number; sha256: string } | null = null
  const valid = new Map<string, number>()
  const uploads = new Set<string>()
  const tasks = new Map<string, Work & { left: number }>()
  const errorBody = (status: number, message: string) => ({ status, message })

  async function giveToken(request: IncomingMessage, response: ServerResponse) {
    const text = Buffer.concat(await request.toArray()).toString()
    if (request.headers.authorization !== `Basic ${SALUTE_KEY}`) return json(response, 401, errorBody(401, 'no'))
    if (new URLSearchParams(text).get('scope') !== 'SALUTE_SPEECH_PERS')
      return json(response, 400, { code: 7, message: 'scope from db not fully includes consumed scope' })
    const token = `salute-token-${++given}`
    valid.set(token, Date.now() + lifeMs)
    return json(response, 200, { access_token: token, expires_at: Date.now() + lifeMs })
  }

  async function upload(request: IncomingMessage, response: ServerResponse) {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of request) {
      bytes += chunk.length
      hash.update(chunk)
    }
    if (!/^audio\/(ogg;codecs=opus|mpeg|flac)$/.test(request.headers['content-type'] ?? ''))
      return json(response, 400, errorBody(400, 'unsupported content type'))
    sent = { bytes, sha256: hash.digest('hex') }
    uploads.add(`file-${uploads.size}`)
    return json(response, 200, { status: 200, result: { request_file_id: `file-${uploads.size - 1}` } })
  }

  async function begin(request: IncomingMessage, response: ServerResponse) {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (!uploads.has(body.request_file_id)) return json(response, 404, errorBody(404, 'file not found'))
    options = body.options
    const id = `task-${++begun}`
    tasks.set(id, { ...work, left: work.polls })
    return json(response, 200, { status: 200, result: { id, status: 'NEW', created_at: 'now', updated_at: 'now' } })
  }

  function taskOf(response: ServerResponse, id: string) {
    polled += 1
    const task = tasks.get(id)
    if (!task) return json(response, 404, errorBody(404, 'task not found'))
    const isRunning = task.left > 0
    task.left -= 1
    const status = isRunning ? 'RUNNING' : task.fails ? 'ERROR' : 'DONE'
    const more = status === 'DONE' ? { response_file_id: `result-${id}` } : {}
    return json(response, 200, { status: 200, result: { id, status, ...more } })
  }

  const service = await startService('/rest/v1', {
    errorBody,
    serve: async (request, response, url) => {
      if (url.pathname === '/api/v2/oauth') return giveToken(request, response)
      const token = String(request.headers.authorization).replace('Bearer ', '')
      if ((valid.get(token) ?? 0) <= Date.now()) {
        request.resume()
        return json(response, 401, errorBody(401, 'Token has expired'))
      }
      if (url.pathname.endsWith('/data:upload')) return upload(request, response)
      if (url.pathname.endsWith('/speech:async_recognize')) return begin(request, response)
      if (url.pathname.endsWith('/task:get')) return taskOf(response, url.searchParams.get('id') ?? '')
      const task = tasks.get((url.searchParams.get('response_file_id') ?? '').replace('result-', ''))
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      return response.end(JSON.stringify(saluteResults(task?.phrases ?? [])))
    },
  })
  return {
    ...service,
    tokenUrl: new URL('/api/v2/oauth', service.baseUrl).href,
    tokens: {
      given: () => given,
      live: (ms) => {
        lifeMs = ms
      },
      revoke: () => valid.clear(),
    },
    begun: () => begun,
    options: () => options,
    sent: () => sent,
    polled: () => polled,
    play: (next) => {
      work = { ...usualWork, ...next }
    },
  }
}

/** Every phrase is in the mixed track, and after it again as the phrase of its speaker. */
function saluteResults(phrases: readonly HeardPhrase[]) {
  const result = ({ start, end, text }: HeardPhrase, id: number) => ({
    results: [
      {
        text: text.toLowerCase(),
        normalized_text: text,
        start: `${start.toFixed(3)}s`,
        end: `${end.toFixed(3)}s`,
        word_alignments: [],
      },
    ],
    eou: true,
    channel: 0,
    speaker_info: { speaker_id: id, main_speaker_confidence: 1 },
    emotions_result: { positive: 0, neutral: 1, negative: 0 },
  })
  const mixed = phrases.map((phrase) => result(phrase, -1))
  return [...mixed, ...phrases.flatMap((phrase) => (phrase.speaker ? result(phrase, phrase.speaker) : []))]
}
