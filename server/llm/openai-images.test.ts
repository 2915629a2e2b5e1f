import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPrivateHost } from '#server/lib/public-address.ts'
import { connect } from './connection.ts'
import { download } from './download.ts'
import { type DrawRequest, MAX_DRAWN_BYTES } from './llm.ts'
import { openAiDraw } from './openai-images.ts'
import { createProviders } from './providers.ts'
import { draws, type FakeOpenAi, hangs, refuses, type Script, startFakeOpenAi } from './testing/fake-openai.ts'

const IMAGE = Buffer.from('the bytes of an image')
const order: DrawRequest = { model: 'vendor/brush', prompt: 'Рыжий кот', size: '1536x1024', seed: 'one' }
const forever = new AbortController().signal

let provider: FakeOpenAi
let gallery: Server
let galleryUrl: string
beforeAll(async () => {
  provider = await startFakeOpenAi()
  gallery = createServer((request, response) => {
    if (request.url === '/moved') return response.writeHead(302, { location: '/image' }).end()
    if (request.url === '/endless') {
      const more = setInterval(() => response.write(Buffer.alloc(1024 * 1024)), 1)
      return response.once('close', () => clearInterval(more))
    }
    if (request.url === '/large') return response.writeHead(200, { 'content-length': MAX_DRAWN_BYTES + 1 }).end()
    return response.writeHead(200, { 'content-type': 'image/png' }).end(IMAGE)
  })
  await new Promise<void>((done) => gallery.listen(0, '127.0.0.1', done))
  galleryUrl = `127.0.0.1:${(gallery.address() as AddressInfo).port}`
})
afterAll(async () => {
  await provider.close()
  gallery.closeAllConnections()
  gallery.close()
})

const answers = (body: unknown): Script => refuses(200, body)
function draw(script: Script, timeoutMs?: number) {
  provider.play(script)
  return openAiDraw(connect({ baseUrl: provider.baseUrl, apiKey: 'key' }), timeoutMs)(order, forever)
}

test('a single image is requested without refused parameters and comes inline', async () => {
  const drawn = await draw(draws(IMAGE))
  expect(Buffer.from(drawn.bytes)).toEqual(IMAGE)
  const { path, authorization, ...body } = provider.received.at(-1) ?? {}
  expect(path).toBe('/v1/images/generations')
  expect(authorization).toBe('Bearer key')
  expect(body).toEqual({ model: 'vendor/brush', prompt: 'Рыжий кот', n: 1, size: '1536x1024' })
})

test('an odd token count does not fail the image', async () => {
  const drawn = await draw(answers({ data: [{ b64_json: IMAGE.toString('base64') }], usage: 'много' }))
  expect(Buffer.from(drawn.bytes)).toEqual(IMAGE)
})

test('a gateway may give the image as a data address instead', async () => {
  const { bytes } = await draw(answers({ data: [{ url: `data:image/png;base64,${IMAGE.toString('base64')}` }] }))
  expect(Buffer.from(bytes)).toEqual(IMAGE)
})

test.each([
  [400, { error: { code: 'moderation_blocked', message: 'rejected by the safety system' } }, 'filter', /отказалась/],
  [400, { error: { code: 'content_policy_violation' } }, 'filter', /Измените описание/],
  [400, { error: { message: 'Invalid size' } }, 'refused', /другой размер/],
  [401, { error: { message: 'bad key' } }, 'key', /сейчас недоступна/],
  [429, { error: { message: 'slow down' } }, 'busy', /перегружена/],
  [429, { error: { code: 'insufficient_quota' } }, 'credit', /сейчас недоступна/],
  [500, { error: { message: 'oops' } }, 'down', /не нарисовала/],
  [200, { data: [] }, 'down', /не нарисовала/],
  [200, { data: [{}] }, 'down', /не нарисовала/],
  [200, 'not what was agreed', 'down', /не нарисовала/],
])('%d %j becomes %s', async (status, body, kind, sentence) => {
  await expect(draw(refuses(status, body))).rejects.toMatchObject({ kind, message: expect.stringMatching(sentence) })
})

test('a slow provider is a timeout, and an abort stops it', async () => {
  await expect(draw(hangs(), 30)).rejects.toMatchObject({ kind: 'timeout' })
  provider.play(hangs())
  const abort = new AbortController()
  const drawing = openAiDraw(connect({ baseUrl: provider.baseUrl, apiKey: null }))(order, abort.signal)
  abort.abort('enough')
  await expect(drawing).rejects.toBe('enough')
})

test('a model that fails several people repeatedly rests for a while', async () => {
  const providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: null }])
  const draw = providers.draw('fake')
  provider.play(refuses(500))
  for (const userId of ['anna', 'anna', 'boris']) await expect(draw({ ...order, userId }, forever)).rejects.toThrow()
  const sent = async (userId: string) => {
    const before = provider.received.length
    await expect(draw({ ...order, userId }, forever)).rejects.toMatchObject({ kind: 'down' })
    return provider.received.length - before
  }
  expect(await sent('anna')).toBe(0)
  // A third person is the trial for everybody.
  expect(await sent('vera')).toBeGreaterThan(0)
  expect(await sent('oleg')).toBe(0)
  expect(providers.state()).toMatchObject([{ provider: 'fake', model: order.model }])
})

describe('an image at an address', () => {
  const own = (path: string) =>
    download(`http://${galleryUrl}${path}`, { trusted: galleryUrl, maxBytes: 1_000_000, signal: forever })

  test('is fetched from the provider itself, whatever its protocol', async () => {
    expect(Buffer.from(await own('/image'))).toEqual(IMAGE)
  })

  test('is fetched up to a size limit, without following further', async () => {
    await expect(own('/large')).rejects.toMatchObject({ kind: 'down' })
    await expect(own('/endless')).rejects.toMatchObject({ reason: 'too-large' })
    await expect(own('/moved')).rejects.toMatchObject({ failure: { status: 302 } })
  })

  test.each([
    'http://example.test/a.png',
    'ftp://example.test/a.png',
    'file:///etc/passwd',
    'https://127.0.0.1/a.png',
    'https://[::1]/a.png',
    'https://[::ffff:10.0.0.1]/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://192.168.0.1/a.png',
    'https://localhost/a.png',
    'https://0x7f000001/a.png',
    'not an address',
  ])('%s is not fetched', async (address) => {
    const downloading = download(address, { trusted: 'api.example.test', maxBytes: 1000, signal: forever })
    await expect(downloading).rejects.toMatchObject({ name: 'LlmError' })
  })

  test('the provider answers with it, and it is fetched at once', async () => {
    const url = `${provider.baseUrl}/image`
    const { bytes } = await draw(answers({ data: [{ url }] }))
    // The fake answers every GET with its list of models; the test only checks that its own address was requested.
    expect(Buffer.from(bytes).toString()).toContain('vendor/fast')
    await expect(draw(answers({ data: [{ url: `http://${galleryUrl}/image` }] }))).rejects.toMatchObject({
      reason: 'not-a-url',
    })
  })

  test('private addresses are known by number, public addresses are allowed', () => {
    expect(['10.1.2.3', '172.20.0.1', '100.64.0.1', '0.0.0.0', 'fd00::1', 'fe80::1'].every(isPrivateHost)).toBe(true)
    expect(['1.1.1.1', '172.32.0.1', '2606:4700::1111', 'example.ru'].some(isPrivateHost)).toBe(false)
  })
})
