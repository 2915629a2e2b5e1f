import { randomBytes } from 'node:crypto'
import { apiKeySecret, hashApiKey } from '#server/features/api-keys/secret.ts'
import { newTestKey } from '../../scripts/lib/test-key.ts'
import type { Instance } from './instances.ts'
import type { Person } from './people.ts'
import { type Stage, until } from './stage.ts'
import { writeSpec } from './text.ts'

/** Streams of programs, each with an API key of its own, that are still being written when their server is killed. */
export interface ProgramStreams {
  /** Counts what was charged for them, which must be nothing: their text is not stored. */
  judge: () => Promise<void>
}

const FLOWING_SECONDS = 20

export async function streamToPrograms(stage: Stage, at: Instance, people: Person[]): Promise<ProgramStreams> {
  const keys = await Promise.all(people.map((person) => addKey(stage, person)))
  const streams = keys.map(({ secret }) => readStream(at, secret))
  const isHeld = async () => {
    const held = `select from holds where state = 'active' and api_key_id = any($1)`
    return (await stage.db.query(held, [keys.map(({ id }) => id)])).rows.length === keys.length
  }
  const isFlowing = await until(FLOWING_SECONDS, async () => streams.every(({ hasText }) => hasText()) && isHeld())
  if (!isFlowing) stage.fail(`программы не читают: ${streams.map(({ status }) => status()).join()}`)
  return {
    judge: async () => {
      const charges = `select api_key_id from ledger where api_key_id = any($1)`
      const { rows } = await stage.db.query(charges, [keys.map(({ id }) => id)])
      stage.findings.charges += rows.length
      if (rows.length > 0) stage.findings.details.push(`списано с ${rows.length} программ, чей сервер убит`)
    },
  }
}

async function addKey({ db, env }: Stage, { email }: Person): Promise<{ id: string; secret: string }> {
  const secret = newTestKey()
  const id = randomBytes(12).toString('hex')
  const hash = hashApiKey(apiKeySecret(env.AUTH_SECRET ?? ''), secret)
  await db.query(
    `insert into api_keys (id, user_id, name, hash, prefix, last_four)
     select $1, id, 'Учения', $2, $3, $4 from users where email = $5`,
    [id, hash, secret.slice(0, 8), secret.slice(-4), email],
  )
  return { id, secret }
}

function readStream({ url }: Instance, secret: string) {
  let text = ''
  let status = 0
  const spec = { nonce: randomBytes(3).toString('hex'), words: 2000, gapMs: 50, mode: 'speak' }
  const read = async () => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'words', stream: true, messages: [{ role: 'user', content: writeSpec(spec) }] }),
    })
    status = response.status
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString()
  }
  // The connection breaks when the server is killed.
  read().catch(() => undefined)
  return { hasText: () => text.includes(`${spec.nonce}.1:0 `), status: () => status }
}
