import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '#contract/files.ts'
import { files } from '#server/db/schema.ts'
import { makePng } from '#server/files/testing/make-images.ts'
import { makeDocx, makeXlsx, paragraph } from '#server/files/testing/make-office.ts'
import { makePdf } from '#server/files/testing/make-pdf.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { usedBytes } from '#server/testing/memory.ts'
import { listen } from '#server/testing/port.ts'
import { TEST_ORIGIN } from '#server/testing/visitor.ts'
import { send, sendStream, streamed } from './testing/upload.ts'

const app = await testApp()
const { port } = await closeAfterTests(listen(app))

const filesOf = (who: SignedIn) => app.db.select().from(files).where(eq(files.userId, who.user.id))
const incoming = () => readdir(app.files.incoming)
const program = Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0', 'latin1')
const MB = 1024 * 1024
const patiently = { timeout: 10_000 }

test('fifty files of ten users at once are all read', { timeout: 60_000 }, async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => app.signIn()))
  const kinds: [name: string, content: Buffer, text: string][] = [
    ['a.pdf', makePdf(['Page']), 'Page'],
    ['b.docx', makeDocx(paragraph('Слово')), 'Слово'],
    ['c.xlsx', makeXlsx({ Лист: '<row r="1"><c r="A1"><v>5</v></c></row>' }), '## Лист «Лист»\n\n5'],
    ['d.txt', Buffer.from('Строка\n'.repeat(50_000)), 'Строка\n'.repeat(50_000).trimEnd()],
    ['e.png', makePng(100, 100), ''],
  ]
  const answers = await Promise.all(people.flatMap((who) => kinds.map(([name, content]) => send(who, name, content))))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const states = async () => (await app.db.selectDistinct({ state: files.state }).from(files)).map(({ state }) => state)
  await expect.poll(states, { timeout: 50_000, interval: 500 }).toEqual(['ready'])
  for (const who of people) {
    const rows = await filesOf(who)
    for (const [name, , text] of kinds) expect(rows.find((row) => row.name === name)?.content ?? '').toBe(text)
  }
  expect(await incoming()).toEqual([])
})

test('thirty rejected files of ten megabytes do not grow the memory', { timeout: 60_000 }, async () => {
  const anna = await app.signIn()
  const refuse = async () => expect((await sendStream(anna, streamed(program, 10 * MB).body)).status).toBe(415)
  for (let n = 0; n < 3; n += 1) await refuse()
  const before = usedBytes()
  for (let n = 0; n < 10; n += 1) await Promise.all([refuse(), refuse(), refuse()])
  await expect.poll(() => usedBytes() - before).toBeLessThan(60 * MB)
  expect(await incoming()).toEqual([])
})

test('a file that is too large is not read to its end', { timeout: 60_000 }, async () => {
  const anna = await app.signIn()
  const { body, sent } = streamed(program, 100 * MB)
  const response = await sendStream(anna, body)
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ message: expect.stringMatching(/^Файл больше 20 МБ/) })
  expect(sent.bytes).toBeLessThan(MAX_FILE_BYTES + MB)
  expect(sent.isLeft).toBe(true)
  expect(await incoming()).toEqual([])
})

test('a file of exactly the limit is accepted, a larger file rejected', { timeout: 60_000 }, async () => {
  const anna = await app.signIn()
  const head = Buffer.alloc(0)
  expect((await sendStream(anna, streamed(head, MAX_FILE_BYTES).body)).status).toBe(415)
  expect((await sendStream(anna, streamed(Buffer.alloc(1), MAX_FILE_BYTES).body)).status).toBe(413)
})

/** An upload over a real connection that the test can break. */
function overTheWire(who: SignedIn, length: number) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path: '/api/files',
    method: 'POST',
    headers: {
      cookie,
      origin: TEST_ORIGIN,
      'content-type': 'multipart/form-data; boundary=line',
      'content-length': length,
    },
  })
  const answer = new Promise<number | undefined>((done) => {
    request.once('response', (response) => {
      response.resume()
      done(response.statusCode)
    })
    request.once('error', () => done(undefined))
  })
  request.write('--line\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nтекст')
  return { request, answer }
}

test('a declared length over the limit is rejected before the body arrives', async () => {
  const anna = await app.signIn()
  const { request, answer } = overTheWire(anna, 50 * MB)
  expect(await answer).toBe(413)
  request.destroy()
})

test('a client that disconnects during the upload leaves nothing behind', async () => {
  const anna = await app.signIn()
  const { request, answer } = overTheWire(anna, MB)
  await expect.poll(incoming, patiently).toHaveLength(1)
  request.destroy()
  await answer
  await expect.poll(incoming, patiently).toEqual([])
  expect(await filesOf(anna)).toEqual([])
})

test('a client that disconnects while the file is read leaves nothing behind', async () => {
  const anna = await app.signIn()
  const pages = makePdf(Array.from({ length: 3000 }, (_, page) => `Page ${page}`))
  const body = Buffer.concat([
    Buffer.from('--line\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
    pages,
    Buffer.from('\r\n--line--\r\n'),
  ])
  const cookie = [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const leaving = new AbortController()
  const sending = fetch(`http://127.0.0.1:${port}/api/files`, {
    method: 'POST',
    headers: { cookie, origin: TEST_ORIGIN, 'content-type': 'multipart/form-data; boundary=line' },
    body,
    signal: leaving.signal,
  }).catch(() => 'left')
  await expect.poll(async () => (await filesOf(anna)).length, patiently).toBe(1)
  leaving.abort()
  expect(await sending).toBe('left')
  await expect.poll(() => filesOf(anna), patiently).toEqual([])
  await sleep(50)
  const keys: string[] = []
  for await (const { key } of app.files.storage.list('uploads')) keys.push(key)
  const named = new Set((await app.db.select({ key: files.storageKey }).from(files)).map(({ key }) => key))
  expect(keys.filter((key) => !named.has(key))).toEqual([])
})
