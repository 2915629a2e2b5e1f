import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { SERVER_FLAGS } from '../scripts/lib/server-flags.mjs'
import { freePort } from '../scripts/lib/services.mjs'
import { startScriptedModel } from './model.ts'

export interface EmailMessage {
  to: string
  subject: string
  text: string
}

/** The built product in a process of its own, on a folder of its own. */
export interface TestServer {
  url: string
  emails: (to: string) => Promise<EmailMessage[]>
  /** Makes the fake payment gateway do something that the real one does by itself. */
  gateway: (action: string, control?: Record<string, unknown>) => Promise<void>
  /** Stops it and starts it again on the same data, as a new build if asked. */
  restart: (env?: Record<string, string>) => Promise<void>
  /** Kills it in the middle of whatever it does and starts it again on the same data. */
  kill: () => Promise<void>
  /** Changes the database directly, for states that no screen can create. An embedded one needs the server stopped. */
  rewrite: (statement: string) => Promise<void>
  stop: () => Promise<void>
}

export async function startServer(env: Record<string, string> = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'symbol-e2e-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const model = await startScriptedModel()
  const database = process.env.TEST_DATABASE_URL ? await createDatabase(process.env.TEST_DATABASE_URL) : null
  const always = {
    PROVIDER_SCRIPT_BASE_URL: model.baseUrl,
    DEMO_MODEL: '1',
    ...env,
    ...(database ? { DATABASE_URL: database.url } : {}),
  }
  let child = await run(folder, port, always)
  await addModel(url)

  let restarting = Promise.resolve()

  async function end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  function again(meanwhile: () => Promise<void>, also?: Record<string, string>, signal?: 'SIGKILL') {
    restarting = end(signal)
      .then(meanwhile)
      .then(async () => {
        child = await run(folder, port, { ...always, ...also })
      })
    return restarting
  }

  return {
    url,
    emails: async (to) => {
      const all = (await (await fetch(`${url}/dev/mail.json`)).json()) as EmailMessage[]
      return all.filter((mail) => mail.to === to)
    },
    gateway: async (action, control = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port + 1}/__fake/${action}`, {
        method: 'POST',
        body: JSON.stringify(control),
      })
      if (!answer.ok) throw new Error(`The gateway would not ${action}: ${await answer.text()}`)
    },
    restart: (also) => again(async () => {}, also),
    kill: () => again(async () => {}, {}, 'SIGKILL'),
    rewrite: (statement) =>
      database
        ? execute(database.url, statement)
        : again(async () => {
            const data = await PGlite.create(join(folder, 'database'))
            await data.exec(statement)
            await data.close()
          }),
    stop: async () => {
      // A test that timed out may have left a restart behind.
      await restarting.catch(() => undefined)
      await end()
      await database?.drop()
      model.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A new database on the Postgres of the tests: it starts faster than the embedded one and is open to `rewrite`. */
async function createDatabase(server: string) {
  const name = `symbol_e2e_${randomBytes(5).toString('hex')}`
  await execute(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => execute(server, `drop database ${name} with (force)`) }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function addModel(url: string) {
  const owner = 'owner@example.test'
  const post = (path: string, body: object, cookie = '') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify(body),
    })
  await post('/api/auth/sign-in/magic-link', { email: owner, callbackURL: '/' })
  let mail: EmailMessage | undefined
  while (!mail) {
    await pause(50)
    const emails = (await (await fetch(`${url}/dev/mail.json`)).json()) as EmailMessage[]
    mail = emails.find(({ to }) => to === owner)
  }
  // A link opened without the cookies of the browser that requested it leads to a page with a button; this is its POST.
  const link = new URL(mail.text.match(/https?:\/\/\S+/)?.[0] ?? '')
  const press = { method: 'POST', headers: { origin: url }, body: link.searchParams, redirect: 'manual' } as const
  const opened = await fetch(url + link.pathname, press)
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const model = {
    id: 'script',
    name: 'Скорый',
    description: 'Коротко и быстро',
    provider: 'script',
    providerModel: 'script',
    position: -1,
  }
  const painter = {
    id: 'brush',
    name: 'Кисть',
    description: 'Рисует по описанию',
    kind: 'image',
    provider: 'script',
    providerModel: 'brush',
    imagePrice: 2000,
    imageSkills: {
      ...{ changes: true, area: true, examples: 4, transparent: false, partial: false },
      ...{ sizes: ['1024x1024', '1536x1024', '1024x1536', 'auto'], form: 'images', changePrice: null },
    },
    position: 0,
  }
  const listener = {
    id: 'script-voice',
    name: 'Слух',
    kind: 'transcription',
    provider: 'script',
    providerModel: 'whisper-script',
    minutePrice: 600,
    position: -1,
  }
  const reader = {
    id: 'script-eye',
    name: 'Зрение',
    kind: 'scan',
    provider: 'script',
    providerModel: 'eye',
    pagePrice: 1500,
    position: 9,
  }
  for (const each of [model, painter, listener, reader]) {
    const added = await post('/api/models', each, cookie)
    if (!added.ok) throw new Error(`The model was not added: ${added.status} ${await added.text()}`)
  }
}

/** An aborted run must not leave servers behind. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

async function run(folder: string, port: number, env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...SERVER_FLAGS, 'dist/server.js'], {
    env: {
      PATH: dirname(process.execPath),
      DATA_DIR: folder,
      PORT: String(port),
      ADMIN_EMAILS: 'owner@example.test',
      SUPPORT_URL: 'https://support.example.test/chat',
      BEPAID_STAND_IN: '1',
      VK_CLIENT_ID: 'vk-client',
      VK_CLIENT_SECRET: 'vk-secret',
      // Each test claims an IP address of its own, so that limits count people, not this machine.
      TRUST_PROXY: '1',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  await new Promise<void>((done, fail) => {
    child.stdout?.on('data', (data: Buffer) => data.toString().includes('Сборка:') && done())
    child.once('exit', (code) => fail(new Error(`The server ended with ${code}`)))
  })
  return child
}
