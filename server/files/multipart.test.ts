import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readUpload } from './multipart.ts'

const BOUNDARY = '----WebKitFormBoundaryAbC123'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`
const END = `\r\n--${BOUNDARY}--\r\n`

async function* chunks(bytes: Buffer, sizes: number[] = [bytes.length]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (let i = 0; at < bytes.length; i += 1) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function read(body: string | Buffer, { type = TYPE, sizes }: { type?: string; sizes?: number[] } = {}) {
  const { name, content } = await readUpload(type, chunks(Buffer.from(body), sizes))
  const received: Buffer[] = []
  for await (const chunk of content) received.push(Buffer.from(chunk))
  return { name, content: Buffer.concat(received) }
}

test('any content is received unchanged, in chunks of any size', async () => {
  const nasty = fc.constantFrom(
    '\r\n',
    '--',
    '\r\n--',
    `\r\n--${BOUNDARY.slice(0, -1)}`,
    `--${BOUNDARY}`,
    '\r',
    '\n',
    '\0',
  )
  const part = fc.oneof(
    nasty,
    fc.string(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(part),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
      async (parts, sizes) => {
        const content = Buffer.from(parts.join(''), 'latin1')
        // A sender picks a boundary that is not in the content.
        fc.pre(!content.includes(`\r\n--${BOUNDARY}`))
        const body = Buffer.concat([Buffer.from(HEAD), content, Buffer.from(END)])
        expect((await read(body, { sizes })).content.equals(content)).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

test('garbage is rejected with 400 or 415', async () => {
  const bits = fc.constantFrom(
    HEAD,
    END,
    `--${BOUNDARY}`,
    '\r\n',
    'Content-Disposition: form-data; name="file"',
    'x',
    '\0',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(bits), fc.boolean(), async (parts, isTyped) => {
      const outcome = await read(parts.join(''), { type: isTyped ? TYPE : 'text/plain', sizes: [7] }).catch(
        (error) => error,
      )
      if (outcome instanceof Error) expect(outcome).toMatchObject({ status: isTyped ? 400 : 415 })
    }),
    { numRuns: 300 },
  )
})

test('the body of a real form is read', async () => {
  const form = new FormData()
  form.set('file', new File([new Uint8Array([0, 1, 2, 255])], 'от"чёт.bin'))
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const { name, content } = await read(Buffer.from(await request.arrayBuffer()), {
    type: request.headers.get('content-type') ?? '',
  })
  expect(name).toBe('от"чёт.bin')
  expect([...content]).toEqual([0, 1, 2, 255])
})

describe('rejected', () => {
  const of = (disposition: string) => HEAD.replace(/form-data;.*/, disposition)
  test.each([
    ['no type', HEAD + END, '', 415],
    ['no boundary', HEAD + END, 'multipart/form-data', 415],
    ['a boundary of forbidden signs', HEAD + END, 'multipart/form-data; boundary="a\u0001b"', 415],
    ['an endless boundary', HEAD + END, `multipart/form-data; boundary=${'a'.repeat(71)}`, 415],
    ['nothing', '', TYPE, 400],
    ['something before the first part', `preamble\r\n${HEAD}text${END}`, TYPE, 400],
    ['a boundary other than the declared one', `${HEAD}text${END}`, 'multipart/form-data; boundary=another', 400],
    ['a field of another name', `${of('form-data; name="files"; filename="a.txt"')}text${END}`, TYPE, 400],
    ['a field without a file', `${of('form-data; name="file"')}text${END}`, TYPE, 400],
    ['two files', `${HEAD}one\r\n${HEAD}two${END}`, TYPE, 400],
    ['a body that breaks off in its head', HEAD.slice(0, -10), TYPE, 400],
    ['a body that breaks off in its content', `${HEAD}text`, TYPE, 400],
    ['a body that breaks off in its last boundary', `${HEAD}text\r\n--${BOUNDARY}`, TYPE, 400],
    ['a boundary that goes on', `${HEAD}text\r\n--${BOUNDARY}xx`, TYPE, 400],
    ['an endless head', `${HEAD.slice(0, -2)}X: ${'y'.repeat(9000)}\r\n\r\ntext${END}`, TYPE, 400],
  ])('%s', async (_, body, type, status) => {
    await expect(read(body, { type, sizes: [1000] })).rejects.toMatchObject({ status })
  })
})

test('a reader that stops releases the sender, and broken connections are reported', async () => {
  let isLeft = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(HEAD)
      for (;;) yield Buffer.alloc(1024)
    } finally {
      isLeft = true
    }
  }
  const { content } = await readUpload(TYPE, endless())
  for await (const chunk of content) if (chunk.length > 0) break
  expect(isLeft).toBe(true)

  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${HEAD}text`)
    throw new Error('socket hang up')
  }
  const upload = await readUpload(TYPE, broken())
  const all = async () => {
    for await (const chunk of upload.content) expect(chunk.toString()).toBe('text')
  }
  await expect(all()).rejects.toMatchObject({ status: 400, message: /Загрузка прервалась/ })
})

test('expected short fields are read before and after the file', async () => {
  const field = (name: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const body = `${field('language', 'ru')}${HEAD}text\r\n${field('modelId', 'модель').slice(0, -2)}${END}`
  async function* slowly() {
    for (const byte of Buffer.from(body)) yield Buffer.from([byte])
  }
  const { content, fields } = await readUpload(TYPE, slowly(), ['language', 'modelId'])
  expect([...fields]).toEqual([['language', 'ru']])
  let text = ''
  for await (const chunk of content) text += chunk
  expect(text).toBe('text')
  expect([...fields]).toEqual([
    ['language', 'ru'],
    ['modelId', 'модель'],
  ])
  async function* long() {
    yield Buffer.from(`${field('language', 'x'.repeat(2000))}${HEAD}text${END}`)
  }
  await expect(readUpload(TYPE, long(), ['language'])).rejects.toMatchObject({ status: 400 })
  await expect(readUpload(TYPE, long(), [])).rejects.toMatchObject({ status: 400 })
})

describe('the name of the file', () => {
  const named = async (parameters: string) => {
    const head = HEAD.replace('filename="a.txt"', parameters)
    return (await read(`${head}text${END}`, { sizes: [1] })).name
  }
  test.each([
    ['UTF-8 in quotes, as browsers write it', 'filename="Отчёт за год.txt"', 'Отчёт за год.txt'],
    ['a quote as browsers write it', 'filename="от%22чёт%22.txt"', 'от"чёт".txt'],
    ['a quote as other clients write it', 'filename="a\\"b;c.txt"', 'a"b;c.txt'],
    ['no quotes', 'filename=a.txt', 'a.txt'],
    ['a path, which is shortened elsewhere', 'filename="C:\\docs\\a.txt"', 'C:\\docs\\a.txt'],
    ['a percent sign that encodes nothing', 'filename="100%.txt"', '100%.txt'],
    ['an empty name', 'filename=""', ''],
    ['the form of RFC 5987', "filename*=UTF-8''%D0%BE%D1%82%D1%87%D1%91%D1%82.txt", 'отчёт.txt'],
    ['both forms', 'filename="a.txt"; filename*=utf-8\'ru\'%D0%BE%D1%82.txt', 'от.txt'],
    ['RFC 5987 with a broken encoding beside a plain name', 'filename="a.txt"; filename*=UTF-8\'\'%D0.txt', 'a.txt'],
  ])('%s', async (_, parameters, name) => {
    expect(await named(parameters)).toBe(name)
  })
})

/** A sender that counts the bytes taken from it; after `head` it sends the same chunk without end. */
function endlessAfter(head: string, chunk: Buffer) {
  const sent = { bytes: 0, isLeft: false }
  async function* send(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(head)
      // The limit ends a reader that would go on for ever, so that the test fails instead of hanging.
      while (sent.bytes < 16 * 1024 * 1024) {
        sent.bytes += chunk.length
        yield chunk
      }
    } finally {
      sent.isLeft = true
    }
  }
  return { sent, body: send() }
}

describe('an endless body is dropped after a bounded number of bytes', () => {
  const field = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="language"\r\n\r\n`
  test.each([
    ['before the first boundary', '', Buffer.alloc(4096, 'x')],
    ['in a head', HEAD.slice(0, -2), Buffer.from(`X: ${'y'.repeat(1000)}\r\n`)],
    ['in one header', `${HEAD.slice(0, -2)}X: `, Buffer.alloc(4096, 'y')],
    ['in a short field', field, Buffer.alloc(1024, 'x')],
    ['in the number of short fields', '', Buffer.from(`${field}ru\r\n`)],
    ['in the number of files', `${HEAD}text\r\n`, Buffer.from(`${HEAD}text\r\n`)],
  ])('%s', async (_, head, chunk) => {
    const { sent, body } = endlessAfter(head, chunk)
    const all = async () => {
      const { content } = await readUpload(TYPE, body, ['language', 'title'])
      for await (const chunk of content) expect(chunk.toString()).toBe('text')
    }
    await expect(all()).rejects.toMatchObject({ status: 400 })
    expect(sent.isLeft).toBe(true)
    expect(sent.bytes).toBeLessThan(64 * 1024)
  })

  test('behind the last boundary', async () => {
    const { sent, body } = endlessAfter(`${HEAD}text${END}`, Buffer.alloc(4096, 'x'))
    const { content } = await readUpload(TYPE, body)
    for await (const chunk of content) expect(chunk.toString()).toBe('text')
    expect(sent.isLeft).toBe(true)
    expect(sent.bytes).toBeLessThan(64 * 1024)
  })
})

test('the sender waits for the reader, with few chunks read ahead', async () => {
  const { sent, body } = endlessAfter(HEAD, Buffer.alloc(64 * 1024))
  const { content } = await readUpload(TYPE, body)
  await new Promise((resolve) => setImmediate(resolve))
  expect(sent.bytes).toBeLessThanOrEqual(4 * 64 * 1024)
  let got = 0
  for await (const chunk of content) {
    got += chunk.length
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent.bytes - got).toBeLessThanOrEqual(4 * 64 * 1024)
    if (got > 4 * 1024 * 1024) break
  }
  expect(sent.isLeft).toBe(true)
})

test.each([
  ['in the head', HEAD.slice(0, -10)],
  ['in a short field', `--${BOUNDARY}\r\nContent-Disposition: form-data; name="language"\r\n\r\nr`],
  ['in the content', `${HEAD}te`],
  ['behind the content', `${HEAD}text\r\n--${BOUNDARY}\r\nContent-Disp`],
])('a connection that breaks %s is reported as an interrupted upload', async (_, sent) => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(sent)
    throw new Error('socket hang up')
  }
  const all = async () => {
    const { content } = await readUpload(TYPE, broken(), ['language'])
    for await (const chunk of content) expect(chunk.length).toBeGreaterThan(0)
  }
  await expect(all()).rejects.toMatchObject({ status: 400, message: /Загрузка прервалась/ })
})

test('a part that is neither file nor known field is rejected', async () => {
  const part = (head: string) => `--${BOUNDARY}\r\n${head}\r\n\r\nx\r\n`
  for (const other of [
    part('Content-Disposition: form-data; name="other"'),
    part('Content-Disposition: attachment; name="file"; filename="a.txt"'),
    part('Content-Type: text/plain'),
    part('no header at all'),
  ]) {
    await expect(read(`${other}${HEAD}text${END}`)).rejects.toMatchObject({ status: 400 })
    await expect(read(`${HEAD}text\r\n${other.slice(0, -2)}${END}`)).rejects.toMatchObject({ status: 400 })
  }
})
