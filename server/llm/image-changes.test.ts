import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatDraw } from './chat-images.ts'
import { connect } from './connection.ts'
import { geminiDraw } from './gemini-images.ts'
import { usualImageSkills } from './image-skills.ts'
import type { Draw, DrawRequest } from './llm.ts'
import { openAiDraw } from './openai-images.ts'
import { createProviders } from './providers.ts'
import { geminiError } from './testing/fake-gemini.ts'
import { type FakeOpenAi, refuses, type Script, startFakeOpenAi } from './testing/fake-openai.ts'

const forever = new AbortController().signal
const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 10, g: 20, b: 30, alpha: 0 } } })
    .png()
    .toBuffer()

let provider: FakeOpenAi
let picture: Buffer
let order: DrawRequest
beforeAll(async () => {
  provider = await startFakeOpenAi()
  picture = await plain(30, 20)
  const area = await plain(30, 20, 4)
  const change = { images: [{ mime: 'image/png', bytes: picture }], area }
  order = { model: 'vendor/brush', prompt: 'Синий фон', size: 'auto', seed: 'one', userId: 'anna', change }
})
afterAll(() => provider.close())

const result = Buffer.from('the bytes of an image')
const data = result.toString('base64')
const sends = (body: unknown): Script => refuses(200, body)
const connection = () => connect({ baseUrl: provider.baseUrl, apiKey: 'key' })
const gemini = () => connect({ baseUrl: provider.baseUrl.replace('/v1', '/v1beta'), apiKey: 'key', kind: 'gemini' })

const inGemini = (parts: object[], more: object = {}) => ({ candidates: [{ content: { parts }, ...more }] })
const inChat = (message: object, more: object = {}) => ({ choices: [{ message, ...more }] })

/** Each form: how it is called, a good answer, its refusal by rules, and an answer without an image. */
const forms: [string, (ms?: number) => Draw, unknown, [number, unknown], unknown][] = [
  [
    'images',
    (ms) => openAiDraw(connection(), ms),
    { data: [{ b64_json: data }] },
    [400, { error: { code: 'moderation_blocked', message: 'rejected by the safety system' } }],
    { data: [{}] },
  ],
  [
    'gemini',
    (ms) => geminiDraw(gemini(), ms),
    inGemini([
      { text: 'Вот' },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thought: true },
      { inlineData: { mimeType: 'image/png', data } },
    ]),
    [200, inGemini([], { finishReason: 'IMAGE_SAFETY' })],
    inGemini([{ text: 'Не могу' }], { finishReason: 'STOP' }),
  ],
  [
    'chat',
    (ms) => chatDraw(connection(), ms),
    inChat({ content: '', images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }] }),
    [200, inChat({ content: 'No' }, { finish_reason: 'content_filter' })],
    inChat({ content: 'Не могу' }, { finish_reason: 'stop' }),
  ],
]

describe.each(forms)('the form %s', (_, draw, good, [status, refusal], empty) => {
  test('brings the changed image (S10.827)', async () => {
    provider.play(sends(good))
    expect(Buffer.from((await draw()(order, forever)).bytes)).toEqual(result)
  })

  test('names a refusal by rules', async () => {
    provider.play(refuses(status, refusal))
    await expect(draw()(order, forever)).rejects.toMatchObject({
      kind: 'filter',
      message: expect.stringMatching(/отказалась/),
    })
  })

  test('an answer without an image is an error', async () => {
    provider.play(sends(empty))
    await expect(draw()(order, forever)).rejects.toMatchObject({ kind: 'down' })
    provider.play(sends('nonsense'))
    await expect(draw()(order, forever)).rejects.toMatchObject({ kind: 'down' })
  })

  test('a slow provider is a timeout, a cut answer an error', async () => {
    provider.play((response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'))
    await expect(draw(50)(order, forever)).rejects.toMatchObject({ kind: 'timeout' })
    provider.play((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"da')
      setTimeout(() => response.destroy(), 10)
    })
    await expect(draw()(order, forever)).rejects.toMatchObject({ kind: 'down' })
  })

  test('a wrong size and an empty account keep their kind', async () => {
    provider.play(refuses(400, { error: { message: "Invalid value: '7x7'" } }))
    await expect(draw()(order, forever)).rejects.toMatchObject({ kind: 'refused' })
    provider.play(refuses(402, geminiError(402, 'X', 'insufficient credit')))
    await expect(draw()(order, forever)).rejects.toMatchObject({ kind: 'credit' })
  })
})

describe('the calls of images', () => {
  test('one image is sent as image, several as a list', async () => {
    provider.play(sends({ data: [{ b64_json: data }] }))
    await openAiDraw(connection())(order, forever)
    const { images, mask, ...fields } = provider.received.at(-1) ?? {}
    expect(fields).toMatchObject({
      path: '/v1/images/edits',
      model: 'vendor/brush',
      size: 'auto',
      input_fidelity: 'high',
    })
    expect(images).toMatchObject([{ name: 'image-1.png', mime: 'image/png' }])
    expect(mask?.mime).toBe('image/png')
    const example = { mime: 'image/webp', bytes: picture }
    const change = { images: [...(order.change?.images ?? []), example], area: null }
    await openAiDraw(connection())({ ...order, change }, forever)
    expect(provider.received.at(-1)?.images?.map(({ name }) => name)).toEqual(['image-1.png', 'image-2.webp'])
  })

  test('a model without fidelity is asked again without it', async () => {
    const open = connection()
    provider.play(
      refuses(400, { error: { message: "Unknown parameter: 'input_fidelity'" } }),
      sends({ data: [{ b64_json: data }] }),
    )
    await openAiDraw(open)(order, forever)
    await openAiDraw(open)(order, forever)
    expect(provider.received.slice(-2).map((call) => 'input_fidelity' in call)).toEqual([false, false])
  })

  test('a mask of another size is refused as by the real service', async () => {
    provider.play(sends({ data: [{ b64_json: data }] }))
    const change = { images: order.change?.images ?? [], area: await plain(10, 10, 4) }
    await expect(openAiDraw(connection())({ ...order, change }, forever)).rejects.toMatchObject({ kind: 'refused' })
  })

  test('unfinished images arrive while the model draws (S10.829)', async () => {
    const event = (type: string, text: string) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: Buffer.from(text).toString('base64') })}\n\n`
    provider.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event('image_edit.partial_image', 'one') + event('image_edit.partial_image', 'two').slice(0, 30))
      response.end(event('image_edit.partial_image', 'two').slice(30) + event('image_edit.completed', 'three'))
    })
    const partial: string[] = []
    const onPartial = (bytes: Uint8Array) => void partial.push(Buffer.from(bytes).toString())
    const { bytes } = await openAiDraw(connection())({ ...order, onPartial }, forever)
    expect(partial).toEqual(['one', 'two'])
    expect(Buffer.from(bytes).toString()).toBe('three')
    expect(provider.received.at(-1)).toMatchObject({ stream: 'true', partial_images: '2' })
    provider.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(event('image_edit.partial_image', 'one'))
    })
    await expect(openAiDraw(connection())({ ...order, onPartial }, forever)).rejects.toMatchObject({
      reason: 'stream-cut',
    })
  })
})

test('an image in an address is fetched from the provider only', async () => {
  provider.play(sends(inChat({ images: [{ image_url: { url: `${provider.baseUrl}/image` } }] })))
  // The fake answers every GET with its list of models; the test only checks that its own address was requested.
  expect(Buffer.from((await chatDraw(connection())(order, forever)).bytes).toString()).toContain('vendor/fast')
  provider.play(sends(inChat({ images: [{ image_url: { url: 'http://127.0.0.1:1/image' } }] })))
  await expect(chatDraw(connection())(order, forever)).rejects.toMatchObject({ reason: 'not-a-url' })
  provider.play(sends(inChat({ content: `![](data:image/png;base64,${data})` })))
  expect(Buffer.from((await chatDraw(connection())(order, forever)).bytes)).toEqual(result)
})

test('requests to Gemini and chats carry the images inside', async () => {
  provider.play(sends(inGemini([{ inlineData: { data } }])))
  await geminiDraw(gemini())({ ...order, size: '1536x1024' }, forever)
  expect(provider.received.at(-1)).toMatchObject({
    path: '/v1beta/models/vendor%2Fbrush:generateContent'.replace('models/vendor%2F', 'vendor/'),
    contents: [
      { parts: [{ inlineData: { mimeType: 'image/png', data: picture.toString('base64') } }, { text: 'Синий фон' }] },
    ],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '3:2' } },
  })
  provider.play(sends(inChat({ images: [{ image_url: { url: `data:image/png;base64,${data}` } }] })))
  await chatDraw(connection())(order, forever)
  expect(provider.received.at(-1)).toMatchObject({ path: '/v1/chat/completions', modalities: ['image', 'text'] })
})

test('the form of a model and its provider choose the call', async () => {
  const providers = createProviders([
    { name: 'one', baseUrl: provider.baseUrl, apiKey: 'key' },
    { name: 'google', kind: 'gemini', baseUrl: provider.baseUrl, apiKey: 'key' },
  ])
  provider.play(
    sends({
      data: [{ b64_json: data }],
      ...inChat({ images: [{ image_url: `data:x,${data}` }] }),
      ...inGemini([{ inlineData: { data } }]),
    }),
  )
  const paths = []
  for (const [name, form] of [
    ['one', 'images'],
    ['one', 'chat'],
    ['google', 'images'],
  ] as const) {
    await providers.draw(name)({ ...order, form }, forever)
    paths.push(provider.received.at(-1)?.path)
  }
  expect(paths).toEqual(['/v1/images/edits', '/v1/chat/completions', '/v1/vendor/brush:generateContent'])
})

test('skills are known for usual models, and none are promised otherwise', () => {
  expect(usualImageSkills('openai', 'gpt-image-2')).toMatchObject({ changes: true, area: true, examples: 4 })
  expect(usualImageSkills('openai', 'google/gemini-2.5-flash-image')).toMatchObject({ changes: true, form: 'chat' })
  expect(usualImageSkills('openai', 'dall-e-3')).toMatchObject({ changes: false })
  expect(usualImageSkills('gemini', 'gemini-3-pro-image')).toMatchObject({ changes: true, area: false })
})
