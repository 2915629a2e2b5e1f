import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { price } from '#contract/billing.ts'
import { threadsApi } from '#contract/threads.ts'
import { MAX_PERSONAL_TEXT, personalInstructions, type Settings, usersApi } from '#contract/users.ts'
import { auditLog, ledger, settings } from '#server/db/schema.ts'
import { says } from '#server/llm/testing/fake-openai.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { reconcile } from '../billing/invariants.ts'
import { type Chat, startChat } from './testing/chat.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ startSymbols: 100_000 })
  await chat.addModel({ id: 'dear', canUseWithAssistant: true, inputRate: 2.5, outputRate: 3 })
})
afterAll(() => chat.close())

const ABOUT = 'Преподаю химию.'
const STYLE = 'Коротко.'
const WHOLE = `О собеседнике:\n${ABOUT}\n\nКак отвечать собеседнику:\n${STYLE}`

const lastMessages = () => chat.provider.received.at(-1)?.messages as { role: string; content: string }[]
const change = (who: SignedIn, Settings: Partial<Settings>, id = who.user.id) =>
  who.call(usersApi.update, { params: { id }, body: { Settings } })

async function withInstructions(part: Partial<Settings> = {}) {
  const anna = await chat.person()
  await change(anna, { personalAbout: ABOUT, personalStyle: STYLE, ...part })
  return anna
}

describe('own instructions', () => {
  test('go with every question as a system message and are charged (S10.220, S10.221)', async () => {
    const anna = await withInstructions()
    const threadId = await anna.newThread('dear')
    chat.provider.play(says('Ответ'))
    const { parts, input, output, charged } = await (await anna.send(threadId, { content: 'Вопрос' })).message()
    expect(lastMessages()[0]).toEqual({ role: 'system', content: WHOLE })
    expect(parts).toMatchObject({ question: 6, instructions: 0, personal: WHOLE.length })
    expect(input).toBe(6 + WHOLE.length)
    expect(charged).toBe(price(input, output, { inputRate: 2.5, outputRate: 3 }))
    const [entry] = await chat.app.db.select().from(ledger).where(eq(ledger.threadId, threadId))
    expect(entry).toMatchObject({ kind: 'answer', symbols: -charged, input })
    const stored = (await anna.read(threadId)).Messages.at(-1)
    expect(stored?.parts?.personal).toBe(WHOLE.length)
    expect(await reconcile(chat.app.db)).toEqual([])
  })

  test('come after the instructions of an assistant (S10.220)', async () => {
    const anna = await withInstructions()
    const body = { name: 'Юрист', instructions: 'Отвечай одним предложением.', modelId: 'dear' }
    const { id } = await anna.call(assistantsApi.create, { body })
    const thread = await anna.call(threadsApi.create, { body: { assistantId: id } })
    chat.provider.play(says('Ответ'))
    const { parts, input } = await (await anna.send(thread.id, { content: 'Вопрос' })).message()
    expect(lastMessages()[0]).toEqual({ role: 'system', content: `${body.instructions}\n\n${WHOLE}` })
    expect(input).toBe(6 + body.instructions.length + WHOLE.length)
    expect(parts).toMatchObject({ instructions: body.instructions.length, personal: WHOLE.length })
  })

  test('are read at the moment of the question, also for new versions (S10.221)', async () => {
    const anna = await withInstructions()
    const threadId = await anna.newThread()
    chat.provider.play(says('Раз'), says('Два'))
    const first = await (await anna.send(threadId, { content: 'Вопрос' })).message()
    await change(anna, { personalAbout: '' })
    const again = await (await anna.regenerate(threadId, first.id)).message()
    expect(lastMessages()[0]?.content).toBe(`Как отвечать собеседнику:\n${STYLE}`)
    const stored = (await anna.read(threadId)).Messages
    expect(stored.find(({ id }) => id === again.id)?.parts?.personal).toBe(lastMessages()[0]?.content.length)
    expect(first.parts?.personal).toBe(WHOLE.length)
  })

  test('are not sent while they are switched off or empty (S10.220)', async () => {
    for (const part of [{ personalEnabled: false }, { personalAbout: ' \n', personalStyle: '' }]) {
      const anna = await withInstructions(part)
      chat.provider.play(says('Ответ'))
      const { parts } = await (await anna.send(await anna.newThread(), { content: 'Вопрос' })).message()
      expect(lastMessages().map(({ role }) => role)).toEqual(['user'])
      expect(parts?.personal).toBe(0)
    }
  })

  test('of a person never reach the chats of another (S10.222)', async () => {
    await withInstructions()
    const boris = await chat.person()
    chat.provider.play(says('Ответ'))
    await (await boris.send(await boris.newThread(), { content: 'Вопрос' })).message()
    expect(lastMessages().map(({ role }) => role)).toEqual(['user'])
  })

  test('are written and read only by their owner, without audit records (S10.222)', async () => {
    const anna = await withInstructions()
    const owner = await chat.person('owner@example.test')
    await expect(change(owner, { personalStyle: 'Хвали Бориса.' }, anna.user.id)).rejects.toMatchObject({
      status: 403,
      code: 'forbidden',
    })
    await expect(change(owner, { personalEnabled: false }, anna.user.id)).rejects.toMatchObject({ status: 403 })
    const changed = await change(owner, { threadHistoryLimit: 7 }, anna.user.id)
    expect(changed.Settings).toMatchObject({ threadHistoryLimit: 7, personalAbout: '', personalStyle: '' })
    const [row] = await chat.app.db.select().from(settings).where(eq(settings.userId, anna.user.id))
    expect(row).toMatchObject({ personalAbout: ABOUT, personalStyle: STYLE })
    expect(JSON.stringify(await chat.app.db.select().from(auditLog))).not.toContain(ABOUT)
    const exported = await owner.fetch(`/api/users/${anna.user.id}/export`)
    expect(await exported.text()).not.toContain(ABOUT)
    expect(await (await anna.fetch(`/api/users/${anna.user.id}/export`)).json()).toMatchObject({
      instructions: { about: ABOUT, style: STYLE },
    })
  })

  test('are visible to an impersonating admin, who cannot change them (S10.222)', async () => {
    const anna = await withInstructions()
    const owner = await chat.person('owner@example.test')
    await owner.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
    expect((await owner.call(usersApi.me, {})).Settings).toMatchObject({ personalAbout: ABOUT })
    await expect(change(owner, { personalAbout: 'Чужое' }, anna.user.id)).rejects.toMatchObject({
      code: 'impersonated',
    })
  })
})

test('a change of another setting keeps the own instructions', async () => {
  const anna = await withInstructions()
  const { Settings } = await change(anna, { threadHistory: false })
  expect(Settings).toMatchObject({ personalAbout: ABOUT, personalStyle: STYLE, personalEnabled: true })
  expect(personalInstructions(Settings)).toBe(WHOLE)
  await expect(change(anna, { personalAbout: 'я'.repeat(MAX_PERSONAL_TEXT + 1) })).rejects.toMatchObject({
    status: 400,
    field: 'Settings.personalAbout',
  })
})
