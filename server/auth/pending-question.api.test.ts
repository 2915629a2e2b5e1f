import { Writable } from 'node:stream'
import { like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { authApi, MAGIC_LINK_MINUTES } from '#contract/auth.ts'
import { authFactorsApi } from '#contract/auth-factors.ts'
import { MAX_PENDING_QUESTION, type PendingQuestion, pendingQuestionApi } from '#contract/pending-question.ts'
import { verifications } from '#server/db/schema.ts'
import { limitTable } from '#server/http/limit-table.ts'
import { newId } from '#server/lib/ids.ts'
import { openLog } from '#server/lib/log.ts'
import { memoryLimits, startTestApp, testApp } from '#server/testing/app.ts'
import { MINUTE, withClockForward } from '#server/testing/clock.ts'
import type { Visitor } from '#server/testing/visitor.ts'
import { emailTo, errorOf, follow, isSignedIn, linkTo, newAddress } from './testing/steps.ts'
import { codeOf, turnOnTotp } from './testing/totp.ts'

const TEXT = 'Почему небо синее, а закат нет?'
const logged: string[] = []
const log = openLog(
  'trace',
  new Writable({
    write: (line, _encoding, done) => {
      logged.push(String(line))
      done()
    },
  }),
)
const app = await testApp({ log })

const aQuestion = (text = TEXT): PendingQuestion => ({ id: newId(), threadId: newId(), text })

async function ask(email: string, question: PendingQuestion, visitor: Visitor = app.visitor()) {
  await visitor.call(authApi.signInMagicLink, { body: { email, callbackURL: '/', metadata: { question } } })
  return { visitor, message: emailTo(app, email), link: linkTo(app, email) }
}

const read = (visitor: Visitor) => visitor.call(pendingQuestionApi.read, {})

test('a question asked with a sign-in link waits for its first reader (S10.665)', async () => {
  const email = newAddress()
  const question = aQuestion()
  const { link } = await ask(email, question)
  const phone = app.visitor()
  await follow(phone, link)
  expect(await isSignedIn(phone)).toBe(true)
  expect(await read(phone)).toEqual(question)
  expect(await read(phone)).toEqual(question)
  await phone.call(pendingQuestionApi.forget, {})
  expect(phone.cookies.has('question')).toBe(false)
  expect(await read(phone)).toBeNull()
})

test('a copied cookie does not give a taken question again (S10.665)', async () => {
  const email = newAddress()
  const phone = app.visitor()
  await follow(phone, (await ask(email, aQuestion())).link)
  const copied = phone.cookies.get('question') ?? ''
  await phone.call(pendingQuestionApi.forget, {})
  phone.cookies.set('question', copied)
  expect(await read(phone)).toBeNull()
})

test('only the person who opens the link can read its question (S10.665)', async () => {
  const email = newAddress()
  const { visitor: typist, link } = await ask(email, aQuestion())
  const owner = app.visitor()
  await follow(owner, link)
  const cookie = owner.cookies.get('question') ?? ''
  expect(cookie).not.toBe('')
  expect(await errorOf(read(typist))).toMatchObject({ status: 401 })
  const other = await app.signIn()
  expect(await read(other)).toBeNull()
  other.cookies.set('question', cookie)
  expect(await read(other)).toBeNull()
  await other.call(pendingQuestionApi.forget, {})
  expect(await read(owner)).toMatchObject({ text: TEXT })
})

test('each link brings its own question, even for the same address (S10.665)', async () => {
  const email = newAddress()
  const own = aQuestion('Мой вопрос')
  const { link } = await ask(email, own)
  const stranger = await ask(email, aQuestion('Чужой вопрос'))
  const phone = app.visitor()
  await follow(phone, link)
  expect(await read(phone)).toEqual(own)
  const without = app.visitor()
  await without.call(authApi.signInMagicLink, { body: { email, callbackURL: '/' } })
  await follow(without, linkTo(app, email))
  expect(await read(without)).toBeNull()
  expect(stranger.message.text).not.toContain('Чужой')
})

test('the question expires with the link and the second step (S10.665)', async () => {
  const email = newAddress()
  const phone = app.visitor()
  await follow(phone, (await ask(email, aQuestion())).link)
  await withClockForward(MAGIC_LINK_MINUTES * MINUTE, async () => expect(await read(phone)).not.toBeNull())
  await withClockForward(2 * MAGIC_LINK_MINUTES * MINUTE, async () => expect(await read(phone)).toBeNull())
})

test('the question is given after the second step, not before (S10.665)', async () => {
  const email = newAddress()
  const owner = await app.signIn(email)
  const { key } = await turnOnTotp(owner)
  const phone = app.visitor()
  await follow(phone, (await ask(email, aQuestion())).link)
  expect(await errorOf(read(phone))).toMatchObject({ status: 401 })
  await phone.call(authFactorsApi.verifyTotp, { body: { code: codeOf(key) } })
  expect(await read(phone)).toMatchObject({ text: TEXT })
})

test('the text is in no email, address, log line or readable row (S10.666)', async () => {
  const email = newAddress()
  const { message, link } = await ask(email, aQuestion())
  const landed = await follow(app.visitor(), link)
  const texts = [JSON.stringify(message), link, landed.headers.get('location'), ...logged]
  const rows = await app.db.select().from(verifications).where(like(verifications.identifier, 'pending-question:%'))
  expect(rows.length).toBeGreaterThan(0)
  for (const text of [...texts, ...rows.map(({ value }) => value)]) {
    expect(text).not.toContain('небо')
    expect(text).not.toContain(encodeURIComponent('небо'))
  }
})

test('a bad question is refused with a reason, without sending an email (S10.666)', async () => {
  const email = newAddress()
  const bad = [aQuestion('я'.repeat(MAX_PENDING_QUESTION + 1)), aQuestion(''), { ...aQuestion(), id: '../7' }]
  const codes: string[] = []
  for (const question of bad) codes.push((await errorOf(ask(email, question))).code)
  expect(codes).toEqual(['QUESTION_TOO_LONG', 'VALIDATION_ERROR', 'VALIDATION_ERROR'])
  const other = await app.visitor().post('/api/auth/sign-in/magic-link', { email, metadata: { extra: 'я' } })
  expect(other.status).toBe(400)
  expect(app.outbox.filter(({ to }) => to === email)).toEqual([])
  await ask(email, aQuestion('я'.repeat(MAX_PENDING_QUESTION)))
})

test('questions have the limits of links and come only from our pages (S10.666)', async () => {
  const limited = await startTestApp({ deps: { limits: memoryLimits() } })
  const email = newAddress()
  const body = () => ({ email, metadata: { question: aQuestion() } })
  const post = (origin?: string) =>
    limited
      .visitor()
      .post('/api/auth/sign-in/magic-link', body(), origin ? { origin, 'sec-fetch-site': 'cross-site' } : {})
  expect((await post('https://evil.example.test')).status).toBe(403)
  const statuses: number[] = []
  for (let i = 0; i < limitTable['links-address'].points; i++) statuses.push((await post()).status)
  expect(statuses.at(-1)).toBe(429)
  const rows = await limited.db.select().from(verifications).where(like(verifications.identifier, 'pending-question:%'))
  expect(rows).toHaveLength(statuses.filter((status) => status === 200).length)
  await limited.close()
})
