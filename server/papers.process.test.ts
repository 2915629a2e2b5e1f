import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { importsApi } from '#contract/imports.ts'
import { modelsAdminApi } from '#contract/models-admin.ts'
import { scansApi } from '#contract/scans.ts'
import { transcriptionsApi } from '#contract/transcriptions.ts'
import { usersApi } from '#contract/users.ts'
import { makeWav } from '#server/audio/testing/make-sound.ts'
import { claudeChat, claudeProject, json, simpleGptChat, zipOf } from '#server/files/chats/testing/fixtures.ts'
import { makePaper, makeScanPdf } from '#server/files/testing/make-scan.ts'
import { startFakeOpenAi } from '#server/llm/testing/fake-openai.ts'
import { SPEECHKIT_KEY, startFakeSpeechKit } from '#server/llm/testing/fake-speech.ts'
import { freePort } from '../scripts/lib/services.mjs'
import { addFileAndWait } from './features/assistants/testing/add-file.ts'
import { reads, readsWhenLet } from './features/scans/testing/reader.ts'
import { uploadRecording } from './features/transcriptions/testing/record.ts'
import { makeDataDir } from './testing/migrated.ts'
import { nodeArgs } from './testing/node-args.ts'
import { createVisitor, TEST_ORIGIN } from './testing/visitor.ts'

/** Servers that are killed while they read a scan, wait for a recording or bring an archive. */

const WAIT = { timeout: 150_000 }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function startServer(env: Record<string, string>) {
  const port = String(await freePort())
  const child = spawn(process.execPath, nodeArgs('server'), {
    env: { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), ...env, PORT: port },
  })
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  closing.push(kill)
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  await expect.poll(() => output, WAIT).toContain('Сборка:')
  return { base: `http://127.0.0.1:${port}`, kill }
}

async function dataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'symbol-papers-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  await makeDataDir(folder)
  return folder
}

async function signInOwner(request: (path: string, init?: RequestInit) => Promise<Response>) {
  const owner = createVisitor({ request })
  await owner.post('/api/auth/sign-in/magic-link', { email: 'owner@example.test', callbackURL: '/' })
  const emails = (await (await owner.fetch('/dev/mail.json')).json()) as { text: string }[]
  const token = emails[0]?.text.match(/token=([^&\s]+)/)?.[1] ?? ''
  await owner.fetch('/api/auth/magic-link/open', { method: 'POST', body: new URLSearchParams({ token }) })
  return owner
}

test('a scan and a recording outlive kill -9, each paid once (S10.764, S10.794)', { timeout: 400_000 }, async () => {
  const [vision, kit] = [await startFakeOpenAi(), await startFakeSpeechKit()]
  closing.push(vision.close, kit.close)
  const env = {
    ...{ DATA_DIR: await dataFolder(), APP_URL: TEST_ORIGIN, START_SYMBOLS: '20000' },
    ...{ PROVIDER_EYES_BASE_URL: vision.baseUrl, PROVIDER_EYES_API_KEY: 'key', PROVIDER_EYES_COUNTRY: 'RU' },
    ...{ PROVIDER_EARS_BASE_URL: kit.baseUrl, PROVIDER_EARS_API_KEY: SPEECHKIT_KEY, PROVIDER_EARS_KIND: 'speechkit' },
  }
  let server = await startServer(env)
  const owner = await signInOwner((path, init) => fetch(server.base + path, init))
  const model = { position: 50, provider: 'eyes', providerModel: 'vendor/sees' }
  await owner.call(modelsAdminApi.create, {
    body: { ...model, id: 'reader', name: 'Чтец', kind: 'scan', pagePrice: 1500 },
  })
  const service = { provider: 'ears', providerModel: 'general', speakers: 'service' as const, maxSpeakers: 2 }
  await owner.call(modelsAdminApi.create, {
    body: { ...model, ...service, id: 'listener', name: 'Слушатель', kind: 'transcription', minutePrice: 600 },
  })

  const slow = readsWhenLet('Ответ убитому серверу')
  vision.play(reads('Первая'), slow.script, reads('Вторая'), reads('Третья'))
  const { id: assistantId } = await owner.call(assistantsApi.create, { body: { name: 'Архив' } })
  const paper = await makePaper(['Акт'])
  const file = await addFileAndWait(owner, assistantId, 'акт.pdf', makeScanPdf([paper, paper, paper]))
  const scan = { params: { fileId: file.id } }
  await owner.call(scansApi.start, { ...scan, body: { pagePrice: 1500 } })
  await slow.isAsked
  kit.play({
    polls: 3,
    phrases: [
      { start: 0, end: 1, text: 'Начнём.', speaker: 1 },
      { start: 1, end: 3, text: 'Давайте.', speaker: 2 },
    ],
  })
  const sound = makeWav([{ seconds: 30, loud: 0.5 }], { rate: 2000 })
  const { id } = await uploadRecording(owner, sound, { modelId: 'listener' })
  await expect.poll(() => kit.polled(), WAIT).toBeGreaterThan(0)

  await server.kill()
  server = await startServer(env)
  await expect.poll(() => owner.call(scansApi.get, scan), WAIT).toMatchObject({ state: 'ready', read: 3 })
  await expect
    .poll(() => owner.call(transcriptionsApi.get, { params: { id } }), WAIT)
    .toMatchObject({ status: 'ready', charged: 300, speakers: [{ key: 's1' }, { key: 's2' }] })
  // The page that was at the model is asked for again, the recording is not sent again.
  expect([vision.received.length, kit.begun()]).toEqual([4, 1])
  const { SingleSubscription } = await owner.call(usersApi.me, {})
  expect(SingleSubscription?.availableTokens).toBe(20_000 - 3 * 1500 - 300)
})

test('an import outlives two kills -9 without doubles (S10.888, S10.895)', { timeout: 400_000 }, async () => {
  const CHATS = 1200
  const env = { DATA_DIR: await dataFolder(), APP_URL: TEST_ORIGIN }
  let server = await startServer(env)
  const owner = await signInOwner((path, init) => fetch(server.base + path, init))
  const archive = zipOf({
    'a.json': json([claudeProject]),
    'b.json': json(Array.from({ length: CHATS }, (_, i) => simpleGptChat(`chat-${i}`))),
    'c.json': json([claudeChat('last', { project_uuid: claudeProject.uuid })]),
  })
  const files = [{ name: 'archive.zip', bytes: archive.length }]
  const { id } = await owner.call(importsApi.begin, { body: { files } })
  const params = { id }
  await owner.fetch(`/api/imports/${id}/files/0?offset=0`, {
    ...{ method: 'PUT', body: new Uint8Array(archive), headers: { 'content-type': 'application/octet-stream' } },
  })
  await owner.call(importsApi.finish, { params })
  const read = () => owner.call(importsApi.get, { params })
  await expect.poll(read, WAIT).toMatchObject({ status: 'found' })
  await owner.call(importsApi.start, { params })
  for (const share of [0.1, 0.4]) {
    await expect
      .poll(async () => (await read()).result?.added ?? 0, { ...WAIT, interval: 20 })
      .toBeGreaterThan(CHATS * share)
    await server.kill()
    server = await startServer(env)
    expect((await read()).result?.added).toBeLessThan(CHATS)
  }
  await expect.poll(read, WAIT).toMatchObject({
    ...{ status: 'done', result: { added: CHATS + 1, known: 0, messages: 2 * CHATS + 2, projects: 1 } },
  })
  const me = await owner.call(usersApi.me, {})
  const exported = await owner.fetch(`/api/users/${me.id}/export`)
  const { threads, projects } = (await exported.json()) as { threads: { title: string }[]; projects: unknown[] }
  expect([threads.length, new Set(threads.map(({ title }) => title)).size, projects.length]).toEqual([
    ...[CHATS + 1, CHATS + 1, 1],
  ])
})
