import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { price } from '#contract/billing.ts'
import { threadsApi } from '#contract/threads.ts'
import { translateApi } from '#contract/translate.ts'
import { type Settings, usersApi } from '#contract/users.ts'
import { messages } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { chunk, DONE, refuses, type Script, says, startFakeOpenAi, streams } from '#server/llm/testing/fake-openai.ts'
import { addFileAndWait } from '../assistants/testing/add-file.ts'
import { reconcile } from '../billing/invariants.ts'
import { type Chat, startChat, type Talker } from './testing/chat.ts'

/** What a model abroad receives and returns, tested through the whole server. */

let chat: Chat
const embedded: string[] = []
beforeAll(async () => {
  const provider = await startFakeOpenAi()
  const { baseUrl } = provider
  const providers = createProviders([
    { name: 'abroad', baseUrl, apiKey: null, country: 'US' },
    { name: 'nearby', baseUrl, apiKey: null, country: 'RU' },
    { name: 'fake', baseUrl, apiKey: null },
  ])
  const embed = () => async (texts: string[]) => {
    embedded.push(...texts)
    return texts.map(() => [1, 2])
  }
  chat = await startChat({ startSymbols: 200_000, provider, deps: { providers: { ...providers, embed } } })
  await chat.addModel({ id: 'far', provider: 'abroad', inputRate: 1.5, position: -10 })
  await chat.addModel({ id: 'near', provider: 'nearby', canUseWithAssistant: true, position: -9 })
  await chat.addModel({ id: 'far-near', provider: 'abroad', fallbackId: 'near', position: 3 })
  await chat.addModel({ id: 'near-far', provider: 'nearby', fallbackId: 'far', canUseWithAssistant: true, position: 4 })
})
afterAll(async () => {
  await chat.close()
  await chat.provider.close()
})

const PHONE = '+7 (999) 123-45-67'
const EMAIL = 'anna@example.ru'
const TEXT = `Позвоните Анне: ${PHONE}, ${EMAIL}`

interface PromptMessage {
  role: string
  content: string
}
const sent = (back = 1) => (chat.provider.received.at(-back)?.messages ?? []) as PromptMessage[]
const allSent = (back = 1) =>
  sent(back)
    .map(({ content }) => content)
    .join('\n')
const change = (who: Talker, part: Partial<Settings>) =>
  who.call(usersApi.update, { params: { id: who.user.id }, body: { Settings: part } })

const echo: Script = (response, body) => {
  const { content } = (body.messages as PromptMessage[]).findLast(({ role }) => role === 'user') ?? { content: '' }
  return streams([...content].map((character) => chunk(character)).join(''), chunk(null, 'stop'), DONE)(response, body)
}

/** A user who hides personal data. Titles are off, so that only answers use the scripts. */
async function anna(part: Partial<Settings> = {}) {
  const person = await chat.person()
  await change(person, { maskPersonal: true, maskedNames: ['Анна'], threadGptNameEnabled: false, ...part })
  return person
}

describe('an answer of a model abroad', () => {
  test('receives tokens and shows the real words, however the stream is cut (S10.333)', async () => {
    const person = await anna()
    const threadId = await person.newThread('far')
    chat.provider.play(echo)
    const reading = await person.send(threadId, { content: TEXT })
    const message = await reading.message()
    expect(sent().at(-1)?.content).toBe('Позвоните [имя 1.2]: [телефон 1], [почта 1]')
    expect(sent()[0]).toMatchObject({ role: 'system', content: expect.stringContaining('[телефон 1]') })
    expect(allSent()).not.toMatch(/999|anna@|Анн/)
    expect(message.content).toBe(TEXT)
    expect(reading.text()).toBe(TEXT)
    expect(message.masked).toEqual({ name: 1, phone: 1, email: 1 })
    const stored = (await person.read(threadId)).Messages
    expect(stored.map(({ content }) => content)).toEqual([TEXT, TEXT])
    expect(stored.map(({ masked }) => masked)).toEqual([null, { name: 1, phone: 1, email: 1 }])
  })

  test('says what is masked as soon as it starts', async () => {
    const person = await anna()
    const threadId = await person.newThread('far')
    chat.provider.play(says('Да'))
    const reading = await person.send(threadId, { content: TEXT })
    await reading.end()
    expect(reading.started()).toMatchObject({ assistant: { masked: { phone: 1, email: 1, name: 1 } } })
  })

  test('costs what the original words cost (S10.337)', async () => {
    const person = await anna()
    const threadId = await person.newThread('far')
    chat.provider.play(echo)
    const { input, output, charged } = await (await person.send(threadId, { content: TEXT })).message()
    expect({ input, output }).toEqual({ input: TEXT.length, output: TEXT.length })
    expect(charged).toBe(price(TEXT.length, TEXT.length, { inputRate: 1.5, outputRate: 1 }))
    expect(await reconcile(chat.app.db)).toEqual([])
  })

  test('hides the earlier messages, the own instructions and those of an assistant (S10.333)', async () => {
    const person = await anna({ personalAbout: `Моя почта ${EMAIL}` })
    const body = { name: 'Секретарь', instructions: `Телефон конторы ${PHONE}` }
    const { id: assistantId } = await person.call(assistantsApi.create, { body })
    const thread = await person.call(threadsApi.create, { body: { assistantId, Model: { connect: { id: 'far' } } } })
    chat.provider.play(says('Карта 4111 1111 1111 1111'), says('[карта 1], [Телефона 1], [email 1]'))
    await (await person.send(thread.id, { content: 'Какая карта?' })).message()
    const { content, masked } = await (await person.send(thread.id, { content: 'Повтори' })).message()
    expect(allSent()).not.toMatch(/4111|999|anna@/)
    expect(content).toBe(`4111 1111 1111 1111, ${PHONE}, ${EMAIL}`)
    expect(masked).toEqual({ card: 1, phone: 1, email: 1 })
  })

  test('is continued with its own text masked', async () => {
    const person = await anna()
    const threadId = await person.newThread('far')
    chat.provider.play(says(`Номер ${PHONE}`), says(' и [телефон 1]'))
    const first = await (await person.send(threadId, { content: 'Номер?' })).message()
    expect(first.masked).toBeNull()
    const more = await (await person.continue(threadId, first.id)).message()
    expect(allSent()).not.toContain('999')
    expect(more).toMatchObject({ content: `Номер ${PHONE} и ${PHONE}`, masked: { phone: 1 } })
  })

  test('restores thoughts too (S10.335)', async () => {
    const person = await anna()
    const threadId = await person.newThread('far')
    const thought = (text: string) =>
      `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: text } }] })}\n\n`
    chat.provider.play(
      streams(thought('Звонить на [теле'), thought('фон 1] или [поч'), chunk('Да'), chunk(null, 'stop'), DONE),
    )
    const message = await (await person.send(threadId, { content: TEXT })).message()
    expect(message).toMatchObject({ content: 'Да', thought: { text: `Звонить на ${PHONE} или [поч` } })
  })

  test('ends with what the model has begun to say', async () => {
    const person = await anna()
    const threadId = await person.newThread('far')
    chat.provider.play(says('Смотрите [телефон'))
    const { content } = await (await person.send(threadId, { content: TEXT })).message()
    expect(content).toBe('Смотрите [телефон')
  })

  test('of an unknown country counts as a model abroad (S10.330)', async () => {
    const person = await anna()
    const threadId = await person.newThread('fast')
    chat.provider.play(echo)
    const { masked } = await (await person.send(threadId, { content: TEXT })).message()
    expect(masked).toEqual({ name: 1, phone: 1, email: 1 })
  })
})

describe('nothing is masked', () => {
  test('for a model at home, without the setting, and on request', async () => {
    chat.provider.play(says('Да'))
    const person = await anna()
    const other = await anna({ maskPersonal: false })
    const near = await person.newThread('near')
    const far = await person.newThread('far')
    const others = await other.newThread('far')
    for (const ask of [
      () => person.send(near, { content: TEXT }),
      () => other.send(others, { content: TEXT }),
      () => person.send(far, { content: TEXT, asIs: true }),
    ]) {
      const { masked } = await (await ask()).message()
      expect(sent()).toEqual([{ role: 'user', content: TEXT }])
      expect(masked).toBeNull()
    }
  })

  test('in a new answer that is requested without masking (S10.338)', async () => {
    const person = await anna()
    const threadId = await person.newThread('far')
    chat.provider.play(says('Да'))
    const first = await (await person.send(threadId, { content: TEXT })).message()
    expect(allSent()).not.toContain(PHONE)
    const again = await (await person.regenerate(threadId, first.id, { asIs: true })).message()
    expect(sent().at(-1)?.content).toBe(TEXT)
    expect(again.masked).toBeNull()
    const rows = await chat.app.db
      .select({ masked: messages.masked })
      .from(messages)
      .where(eq(messages.threadId, threadId))
    expect(rows.filter(({ masked }) => masked !== null)).toHaveLength(1)
  })
})

describe('a fallback', () => {
  test('at home gets the real words, although the model abroad got tokens (S10.336)', async () => {
    const person = await anna()
    const threadId = await person.newThread('far-near')
    chat.provider.play(refuses(400), echo)
    const message = await (await person.send(threadId, { content: TEXT })).message()
    expect(allSent(2)).not.toContain(PHONE)
    expect(sent()).toEqual([{ role: 'user', content: TEXT }])
    expect(message).toMatchObject({ content: TEXT, modelId: 'near', masked: null })
  })

  test('abroad gets tokens, although the model at home got the real words (S10.336)', async () => {
    const person = await anna()
    const threadId = await person.newThread('near-far')
    chat.provider.play(refuses(400), echo)
    const message = await (await person.send(threadId, { content: TEXT })).message()
    expect(sent(2)).toEqual([{ role: 'user', content: TEXT }])
    expect(allSent()).not.toContain(PHONE)
    expect(message).toMatchObject({ content: TEXT, modelId: 'far', masked: { phone: 1, email: 1, name: 1 } })
  })
})

test('the request for a title hides the same and restores the title (S10.333)', async () => {
  const person = await anna({ threadGptNameEnabled: true })
  const threadId = await person.newThread('near')
  chat.provider.play(says('Хорошо'), says('Звонок: [телефон 1]'))
  await (await person.send(threadId, { content: TEXT })).message()
  await expect.poll(async () => (await person.read(threadId)).title).toBe(`Звонок: ${PHONE}`)
  expect(allSent()).not.toMatch(/999|anna@|Анне/)
})

test('a question without a chat hides and restores too (S10.333)', async () => {
  const person = await anna()
  chat.provider.play(echo)
  const { text, charged } = await person.call(translateApi.translate, { body: { model: 'far', prompt: TEXT } })
  expect(allSent()).not.toMatch(/999|anna@|Анне/)
  expect(text).toBe(TEXT)
  expect(charged).toBe(price(TEXT.length, TEXT.length, { inputRate: 1.5, outputRate: 1 }))
})

test('names are visible only to their owner (S10.339)', async () => {
  const person = await anna()
  const owner = await chat.person('owner@example.test')
  const seen = await owner.call(usersApi.get, { params: { id: person.user.id } })
  expect(seen.Settings.maskedNames).toEqual([])
  expect((await person.call(usersApi.me, {})).Settings).toMatchObject({ maskPersonal: true, maskedNames: ['Анна'] })
  const refused = await owner
    .call(usersApi.update, { params: { id: person.user.id }, body: { Settings: { maskPersonal: false } } })
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 403 })
  const own = JSON.parse(await (await person.fetch(`/api/users/${person.user.id}/export`)).text())
  expect(own.instructions).toMatchObject({ maskedNames: ['Анна'] })
  expect(own.settings).toMatchObject({ maskPersonal: true })
  const forAdmin = await (await owner.fetch(`/api/users/${person.user.id}/export`)).text()
  expect(forAdmin).not.toContain('Анна')
})

describe('an assistant bound to a country', () => {
  const COUNTRY_ERROR = 'Здесь отвечают только модели, данные которых остаются в России. Выберите такую модель.'

  async function bound(person: Talker, modelId: string | null = 'near-far') {
    const { id } = await person.call(assistantsApi.create, { body: { name: 'Кадры', modelId, country: 'RU' } })
    return id
  }

  test('cannot be saved with a model of another country (S10.332)', async () => {
    const person = await anna()
    await chat.addModel({ id: 'far-kind', provider: 'abroad', canUseWithAssistant: true, position: 9 })
    const create = (body: object) =>
      person.call(assistantsApi.create, { body: { name: 'Кадры', ...body } }).catch((error: unknown) => error)
    expect(await create({ modelId: 'far-kind', country: 'RU' })).toMatchObject({ status: 409, message: COUNTRY_ERROR })
    const free = (await create({ modelId: 'far-kind' })) as { id: string; country: string | null }
    expect(free.country).toBeNull()
    const bind = (body: object) => person.call(assistantsApi.update, { params: { id: free.id }, body })
    expect(await bind({ country: 'RU' }).catch((error: unknown) => error)).toMatchObject({ status: 409 })
    expect(await bind({ country: 'RU', modelId: 'near' })).toMatchObject({ country: 'RU', modelId: 'near' })
  })

  test('refuses models and fallbacks of other countries in its chats (S10.332)', async () => {
    const person = await anna({ threadModel: 'far' })
    const assistantId = await bound(person)
    const far = { connect: { id: 'far' } }
    const refused = await person.call(threadsApi.create, { body: { assistantId, Model: far } }).catch((error) => error)
    expect(refused).toMatchObject({ status: 409, message: COUNTRY_ERROR })
    const { id, Assistant } = await person.call(threadsApi.create, { body: { assistantId } })
    expect(Assistant?.country).toBe('RU')
    const changed = await person
      .call(threadsApi.update, { params: { id }, body: { Model: far } })
      .catch((error) => error)
    expect(changed).toMatchObject({ status: 409, message: COUNTRY_ERROR })
    const before = chat.provider.received.length
    expect(await (await person.send(id, { content: 'Вопрос', modelId: 'far' })).error()).toMatchObject({
      status: 409,
      message: COUNTRY_ERROR,
    })
    expect(chat.provider.received.length).toBe(before)
    chat.provider.play(refuses(400), says('Чужая'))
    const failed = await (await person.send(id, { content: 'Вопрос' })).end()
    expect(failed).toMatchObject({ type: 'error' })
    expect(chat.provider.received.length).toBe(before + 1)
    const { Messages } = await person.read(id)
    const answer = Messages.at(-1)
    chat.provider.play(says('Своя'))
    const again = await person.regenerate(id, answer?.id ?? '', { modelId: 'far' })
    expect(await again.error()).toMatchObject({ status: 409, message: COUNTRY_ERROR })
    expect(await (await person.regenerate(id, answer?.id ?? '')).message()).toMatchObject({ content: 'Своя' })
  })

  test('without a model takes a model of its country, also for titles (S10.332)', async () => {
    const person = await anna({ threadModel: 'far', threadGptNameEnabled: true })
    const assistantId = await bound(person, null)
    const thread = await person.call(threadsApi.create, { body: { assistantId } })
    expect(thread.Model?.id).toBe('near')
    chat.provider.play(says('Ответ'), says('Название'))
    await (await person.send(thread.id, { content: TEXT })).message()
    await expect.poll(async () => (await person.read(thread.id)).title).toBe('Название')
    expect(chat.provider.received.slice(-2).map(({ model }) => model)).toEqual(['vendor/near', 'vendor/near'])
  })

  test('is tried out with models of its country only (S10.332)', async () => {
    const person = await anna({ threadModel: 'far' })
    const tryWith = (body: object) =>
      person
        .call(assistantsApi.tryOut, {
          body: {
            ...{ assistantId: null, instructions: '', modelId: null },
            messages: [{ role: 'user', content: TEXT }],
            ...body,
          },
        })
        .catch((error: unknown) => error)
    chat.provider.play(echo)
    expect(await tryWith({ country: 'RU' })).toMatchObject({ text: TEXT })
    expect(chat.provider.received.at(-1)?.model).toBe('vendor/near')
    expect(await tryWith({})).toMatchObject({ text: TEXT })
    expect(chat.provider.received.at(-1)?.model).toBe('vendor/far')
    expect(allSent()).not.toContain(PHONE)
  })
})

describe('the question to the files of an assistant', () => {
  const STORY = `${'Арендная плата вносится до пятого числа. '.repeat(40)}\n\n`.repeat(15)
  const lastEmbedded = () => embedded.at(-1) ?? ''

  test('is masked abroad unless its owner shows it, and plain at home (S10.333)', async (context) => {
    context.skip(!chat.app.files.knowledge.hasVectors, 'this database compares no vectors')
    await chat.addModel({ id: 'vectors', kind: 'embedding', provider: 'abroad' })
    const person = await anna()
    const { id } = await person.call(assistantsApi.create, { body: { name: 'Юрист', modelId: 'near' } })
    await addFileAndWait(person, id, 'договор.txt', STORY)
    const thread = (await person.call(threadsApi.create, { body: { assistantId: id } })).id
    chat.provider.play(says('Ответ'))
    await (await person.send(thread, { content: TEXT })).message()
    expect(lastEmbedded()).toBe('Позвоните [имя 1.2]: [телефон 1], [почта 1]')
    const body = { assistantId: id, instructions: '', messages: [{ role: 'user' as const, content: TEXT }] }
    await (await person.stream('/api/assistants/try', { ...body, modelId: 'near' })).text()
    expect(lastEmbedded()).not.toMatch(/999|anna@|Анн/)
    await (await person.send(thread, { content: TEXT, asIs: true })).message()
    expect(lastEmbedded()).toContain(PHONE)
    await chat.addModel({ id: 'vectors-home', kind: 'embedding', provider: 'nearby', position: -5 })
    await (await person.send(thread, { content: TEXT })).message()
    expect(lastEmbedded()).toContain(PHONE)
  })
})
