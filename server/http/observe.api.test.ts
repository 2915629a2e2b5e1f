import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { recoverAnswer } from '#server/features/answers/recover.ts'
import { startChat } from '#server/features/answers/testing/chat.ts'
import { openLog } from '#server/lib/log.ts'
import { says } from '#server/llm/testing/fake-openai.ts'
import { aMessage, aThread } from '#server/testing/builders.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { testFolder } from '#server/testing/folder.ts'
import { loadSite } from './site.ts'

const lines: Record<string, unknown>[] = []
const log = openLog(
  'info',
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  }),
  { instance: 'i1', build: 'b1' },
)
const folder = testFolder()
mkdirSync(join(folder, 'web/assets'), { recursive: true })
writeFileSync(join(folder, 'build.json'), '{"id":"b"}')
writeFileSync(join(folder, 'web/index.html'), '<title></title>')
writeFileSync(join(folder, 'web/assets/app.js'), '1')
writeFileSync(join(folder, 'web/robots.txt'), '1')
const chat = await closeAfterTests(startChat({ log, deps: { site: loadSite(folder) } }))
const app = chat.app
beforeEach(() => {
  lines.length = 0
})
const requests = () => lines.filter(({ msg }) => msg === 'http: request answered')
const answers = () => lines.filter(({ msg }) => msg === 'answers: answer ended')

test('a request is a single log line without anything that was sent (S10.270)', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  lines.length = 0
  const answer = await anna.fetch(`/api/threads/${thread}?secret=in-the-address`)
  expect(requests()).toHaveLength(1)
  expect(requests()[0]).toMatchObject({
    ...{ level: 30, instance: 'i1', build: 'b1', pid: process.pid },
    ...{ method: 'GET', route: '/api/threads/:id', status: 200, ms: expect.any(Number), userId: anna.user.id },
    requestId: answer.headers.get('x-request-id'),
  })
  const written = JSON.stringify(lines)
  for (const secret of [thread, 'in-the-address', anna.user.email]) expect(written).not.toContain(secret)
})

test.each(['/api/health', '/api/health/ready', '/metrics', '/assets/app.js', '/robots.txt'])(
  '%s is not logged at info (S10.270)',
  async (path) => {
    await app.app.request(path)
    expect(requests()).toEqual([])
  },
)

test('a rejected request, a missing address and the page are logged (S10.270)', async () => {
  await app.app.request('/api/threads/x')
  await app.app.request('/no-such-file.js')
  await app.app.request('/')
  expect(requests().map(({ route, status }) => [route, status])).toEqual([
    ['/api/threads/:id', 401],
    ['/*', 404],
    ['/*', 200],
  ])
  expect(requests()[0]).not.toHaveProperty('userId')
})

test('an answer is a single log line without any of its text (S10.271)', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  chat.provider.play(says('Очень ', 'личный ответ'))
  const reading = await anna.send(thread, { content: 'Очень личный вопрос' })
  const end = await reading.end()
  if (end?.type !== 'done') throw new Error(`ended by ${end?.type}`)
  await expect.poll(answers).toHaveLength(1)
  const [line] = answers()
  const request = requests().find(({ route }) => route === '/api/threads/:id/message')
  expect(line).toMatchObject({
    ...{ level: 30, instance: 'i1', build: 'b1', userId: anna.user.id, messageId: end.message.id },
    requestId: request?.requestId,
    ...{ model: 'fast', provider: 'fake', outcome: 'complete', firstTextMs: expect.any(Number) },
    ...{ ms: expect.any(Number), input: expect.any(Number), output: 'Очень личный ответ'.length, charged: end.charged },
  })
  expect(end.charged).toBeGreaterThan(0)
  const written = JSON.stringify(lines)
  for (const text of ['личный вопрос', 'личный ответ', anna.user.email]) expect(written).not.toContain(text)
})

test('an answer of a dead process is a log line too (S10.271)', async () => {
  const anna = await app.signIn()
  const thread = await aThread(app.db, anna.user.id)
  const { id } = await aMessage(app.db, thread, {
    ...{ role: 'assistant', status: 'streaming', content: '', instance: 'dead' },
  })
  expect(await recoverAnswer({ db: app.db, publish: () => {}, log }, id)).toBe(true)
  expect(answers()).toMatchObject([
    { messageId: id, outcome: 'interrupted', isRecovered: true, userId: anna.user.id, charged: 0 },
  ])
})
