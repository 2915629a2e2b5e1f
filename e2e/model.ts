import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'

/** A provider whose model does what the question says, so that a test scripts it by typing. */

interface ChatRequest {
  messages: { role: string; content: unknown }[]
}

interface ImageRequest {
  prompt: string
  size: string
}

export interface ScriptedModel {
  baseUrl: string
  close: () => void
}

export async function startScriptedModel(): Promise<ScriptedModel> {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return json(response, 200, { object: 'list', data: [{ id: 'script' }] })
    if (request.url?.endsWith('/audio/transcriptions')) return listen(request, response)
    if (request.url?.endsWith('/images/edits')) return draw(await formOf(request), response)
    const body = JSON.parse(await bodyOf(request))
    await (request.url?.endsWith('/images/generations') ? draw(body, response) : answer(body, response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

export const TRANSCRIPT = ['Добрый день, коллеги.', 'Сегодня обсуждаем договор аренды.', 'Спасибо, до встречи.']
let stumbles = 0

/**
 * Transcribes every recording the same, a second for each sentence; in Italian two of three requests fail, in Polish the
 * model tells who spoke.
 */
async function listen(request: IncomingMessage, response: ServerResponse) {
  const form = await readForm(request)
  if (form.get('language') === 'it') {
    stumbles += 1
    if (stumbles % 3 !== 0) return json(response, 400, { error: { message: 'bad audio' } })
  }
  if (form.get('language') === 'de') return
  const people = form.get('language') === 'pl' ? ['A', 'B', 'C'] : []
  const segments = TRANSCRIPT.map((text, i) => ({ start: i, end: i + 1, text, speaker: people[i] ?? null }))
  return json(response, 200, { text: TRANSCRIPT.join(' '), duration: TRANSCRIPT.length, segments })
}

/** What it reads on every page of a scan. */
export const SCANNED = 'Арендная плата составляет 40 000 рублей в месяц и вносится до пятого числа.'

async function readForm(request: IncomingMessage): Promise<FormData> {
  const body = Buffer.concat(await request.toArray())
  const type = String(request.headers['content-type'])
  return new Response(body, { headers: { 'content-type': type } }).formData()
}

async function formOf(request: IncomingMessage): Promise<ImageRequest> {
  const form = await readForm(request)
  return { prompt: String(form.get('prompt')), size: String(form.get('size')) }
}

export const TITLE = 'Проверка связи'

async function answer({ messages }: ChatRequest, response: ServerResponse) {
  const question = textOf(messages.findLast(({ role }) => role === 'user')?.content)
  if (messages[0]?.role === 'system' && question.startsWith('Начало беседы')) return speak(response, [TITLE], 0)
  const mark = /\[начало (\w+)\]/.exec(textOf(messages[0]?.content))?.[1]
  if (mark) return speak(response, [`[начало ${mark}]\n`, SCANNED, `\n[конец ${mark}]`], 150)
  const rules = textOf(messages[0]?.content)
  if (rules.startsWith('Ты ведёшь протокол')) return takeMinutes(question, response)
  if (rules.startsWith('Ты пишешь письмо')) return speak(response, ['Тема: Итоги встречи\n\nЗдравствуйте!'], 5)
  const slowly = /медленно (\d+)/.exec(question)
  if (slowly) return speak(response, numberedWords(Number(slowly[1])), 100)
  if (question.includes('сломайся')) return json(response, 500, { error: { message: 'no' } })
  if (question.includes('молчи')) return
  if (question.includes('разметка')) return speak(response, markup, 5)
  // Shows what the model received: no token survives this, so none is restored.
  if (question.includes('по буквам')) return speak(response, [[...question].join('·')], 5)
  if (question.startsWith('Продолжи')) return speak(response, ['— и вот конец.'], 5)
  return speak(response, ['Вы спросили: ', `«${question.slice(0, 200)}».`], 5)
}

export const NOTES = {
  summary: 'Обсудили договор аренды.',
  decisions: [{ text: 'Снять склад на Лесной', time: 1 }],
  tasks: [{ who: 'Анна', what: 'Прислать договор', due: 'до пятницы', time: 2 }],
  questions: [{ text: 'Кто платит за свет?', time: 0 }],
}
const interrupted = new Set<string>()

/** The same notes for every recording; of one whose title says so only the second request is answered. */
function takeMinutes(question: string, response: ServerResponse) {
  if (question.includes('Прерванная') && !interrupted.has(question)) {
    interrupted.add(question)
    return
  }
  return speak(response, [JSON.stringify(NOTES)], 5)
}

/** Draws a plain image of the asked shape, its colour by the description. */
async function draw({ prompt, size }: ImageRequest, response: ServerResponse) {
  const slowly = /медленно (\d+)/.exec(prompt)
  await pause(slowly ? Number(slowly[1]) * 1000 : 300)
  if (prompt.includes('запрещено')) return json(response, 400, { error: { code: 'moderation_blocked' } })
  if (prompt.includes('сломайся')) return json(response, 500, { error: { message: 'no' } })
  const [width = 1024, height = 1024] = size === 'auto' ? [] : size.split('x').map(Number)
  const hue = [...prompt].reduce((sum, email) => sum + email.charCodeAt(0), 0) % 200
  const background = { r: 40 + hue, g: 120, b: 240 - hue }
  const bytes = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
  json(response, 200, { created: 1, data: [{ b64_json: bytes.toString('base64') }] })
}

export const numberedWords = (count: number) => Array.from({ length: count }, (_, i) => `слово${i + 1} `)

const markup = [
  '## Заголовок\n\nТекст с **жирным** и `кодом`.\n\n',
  '```ts\nconst ответ: number = 42\n```\n\n',
  '| Что | Сколько |\n| --- | ---: |\n| яблоки | 3 |\n\n',
  '[ссылка](https://example.test/a) и ![картинка](https://example.test/a.png)\n\n',
  '<img src=x onerror="window.hacked = true"><script>window.hacked = true</script>\n\n',
  '[опасная](javascript:alert(1))\n',
]

async function speak(response: ServerResponse, chunks: string[], gapMs: number) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const content of chunks) {
    if (response.destroyed) return
    response.write(chunk({ content }, null))
    if (gapMs > 0) await pause(gapMs)
  }
  response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
}

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const textOf = (content: unknown) => (typeof content === 'string' ? content : JSON.stringify(content ?? ''))

function json(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
