import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { ledger, messages } from '#server/db/schema.ts'
import { saysSlowly } from '#server/llm/testing/fake-openai.ts'
import { inProcessBus } from '#server/realtime/bus.ts'
import { reconcile } from '../billing/invariants.ts'
import { startChat } from './testing/chat.ts'

/** Two instances: people read on one, an admin acts on the other. */
const bus = inProcessBus()
const here = await startChat({ bus, startSymbols: 1_000_000 })
const there = await startChat({ bus, database: here.app.database, provider: here.provider })
const admin = await there.person('owner@example.test')
afterAll(async () => {
  expect(await reconcile(here.app.db)).toEqual([])
  await there.close()
  await here.close()
})

const words = Array.from({ length: 400 }, (_, i) => `слово${i} `)
const rowOf = async (id: string) => (await here.app.db.select().from(messages).where(eq(messages.id, id)))[0]

/** A person whose answer is being written on the first instance and read on both. */
async function reader() {
  here.provider.play(saysSlowly(30, ...words))
  const anna = await here.person()
  const thread = await anna.newThread()
  const writing = await anna.send(thread, { content: 'Скажи' })
  await writing.until(() => writing.text().includes('слово2'))
  const answerId = writing.started()?.assistant.id ?? ''
  const elsewhere = await there.withCookies(anna).attach(thread, answerId)
  await elsewhere.until(() => elsewhere.text().includes('слово2'))
  return { anna, thread, writing, elsewhere, answerId }
}

test('a ban on another instance ends streams and charges what was shown (S10.584)', async () => {
  const { anna, writing, elsewhere, answerId } = await reader()
  await admin.call(authAdminApi.banUser, { body: { userId: anna.user.id } })
  await Promise.all([writing.end(), elsewhere.end()])
  await expect.poll(async () => (await rowOf(answerId))?.status).toBe('stopped')
  const row = await rowOf(answerId)
  expect(row?.content).not.toContain('слово399')
  expect(writing.text().startsWith(row?.content ?? '-')).toBe(true)
  const [charge] = await here.app.db.select().from(ledger).where(eq(ledger.messageId, answerId))
  expect(-(charge?.symbols ?? 0)).toBe('Скажи'.length + (row?.content.length ?? 0))
})

test('deleting the account ends its streams (S10.584)', async () => {
  const { anna, writing, elsewhere, answerId } = await reader()
  await admin.call(authAdminApi.removeUser, { body: { userId: anna.user.id } })
  await Promise.all([writing.end(), elsewhere.end()])
  await expect.poll(() => rowOf(answerId)).toBeUndefined()
  await expect.poll(() => here.app.answers.engine.size()).toBe(0)
})

test('an ended session ends only its own streams, not the answer (S10.585)', async () => {
  const { anna, thread, writing, elsewhere, answerId } = await reader()
  const phone = await here.person(anna.user.email)
  const onPhone = await phone.attach(thread, answerId)
  const session = await anna.call(authApi.getSession, {})
  await there.withCookies(phone).call(accountApi.revokeSession, { body: { token: session?.session.token ?? '' } })
  await Promise.all([writing.end(), elsewhere.end()])
  expect([writing.events.at(-1)?.type, elsewhere.events.at(-1)?.type]).toEqual(['delta', 'delta'])
  const shown = onPhone.text().length
  await onPhone.until(() => onPhone.text().length > shown + 50)
  expect((await rowOf(answerId))?.status).toBe('streaming')
  await phone.stop(thread, answerId)
})

test('a client that waits for an answer is refused after signing out (S10.585)', async () => {
  here.provider.play(saysSlowly(30, ...words))
  const anna = await here.person()
  const thread = await anna.newThread()
  const waiting = anna.send(thread, { content: 'Скажи' }, { accept: 'application/json' })
  await expect.poll(() => here.app.answers.engine.size()).toBe(1)
  await anna.call(authApi.signOut, {})
  expect((await waiting).status).toBe(401)
  const phone = await here.person(anna.user.email)
  const [answer] = (await phone.read(thread)).Messages.filter(({ role }) => role === 'assistant')
  await phone.stop(thread, answer?.id ?? '')
})
