import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { IMAGE_SYMBOLS } from '#contract/files.ts'
import { balances, files, holds, messages } from '#server/db/schema.ts'
import { makePng } from '#server/files/testing/make-images.ts'
import { newId } from '#server/lib/ids.ts'
import { imagesInFlight } from '#server/llm/request.ts'
import { says } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { uploadAndWait } from '../files/testing/upload.ts'
import { fitImages } from './context.ts'
import type { PromptMessage } from './prompt.ts'
import { startChat, type Talker } from './testing/chat.ts'

const MB = 1024 * 1024

let anna: Talker
const chat = await closeAfterTests(startChat({ startSymbols: 2_000_000 }))
beforeAll(async () => {
  await chat.addModel({ id: 'seeing', vision: true })
  anna = await chat.person()
})

/** A large image, as stored by releases that did not shrink uploads. */
async function oldImage(bytes: number): Promise<string> {
  const id = newId()
  const storageKey = `uploads/${id}`
  await chat.app.files.storage.put(storageKey, Buffer.alloc(bytes, 7), 'image/png')
  await chat.app.db.insert(files).values({
    id,
    userId: anna.user.id,
    kind: 'image',
    name: 'старая.png',
    mime: 'image/png',
    bytes,
    storageKey,
    state: 'ready',
    symbols: IMAGE_SYMBOLS,
  })
  return id
}

type SentMessage = { content: string | { type: string; text?: string; image_url?: { url: string } }[] }
const sentMessages = () =>
  (chat.provider.received.findLast(({ model }) => model === 'vendor/seeing')?.messages ?? []) as SentMessage[]
const images = ({ content }: SentMessage) =>
  typeof content === 'string' ? [] : content.flatMap(({ image_url }) => image_url?.url.slice(0, 22) ?? [])
const words = ({ content }: SentMessage) => (typeof content === 'string' ? content : (content[0]?.text ?? ''))

async function hurry<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const result = work.finally(() => {
    isDone = true
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await expect.poll(() => vi.advanceTimersByTimeAsync(1000).then(() => isDone)).toBe(true)
  vi.useRealTimers()
  return result
}

describe('images of a request', () => {
  test('reach the model, and stay with the question in the history', async () => {
    chat.provider.play(says('Вижу'))
    const thread = await anna.newThread('seeing')
    const { id } = await uploadAndWait(anna, 'вид.png', makePng(10, 10))
    await (await anna.send(thread, { content: 'Что это?', fileIds: [id] })).message()
    await (await anna.send(thread, { content: 'А ещё?' })).message()
    expect(sentMessages().map(images)).toEqual([['data:image/png;base64,'], [], []])
  })

  test('above 20 MB lose the oldest, and a note replaces them', async () => {
    chat.provider.play(says('Вижу'))
    const thread = await anna.newThread('seeing')
    const ids = [await oldImage(12 * MB), await oldImage(6 * MB), await oldImage(12 * MB)]
    for (const id of ids) await (await anna.send(thread, { content: `Картинка ${id}`, fileIds: [id] })).message()
    const questions = sentMessages().filter(({ content }) => JSON.stringify(content.slice(0, 300)).includes('Картинка'))
    expect(questions.map((promptMessage) => images(promptMessage).length)).toEqual([0, 1, 1])
    expect(words(questions[0] as SentMessage)).toContain('не показаны: 1')
    expect(words(questions[2] as SentMessage)).not.toContain('не показаны')
  })

  test('are left out by age alone and count as their note', () => {
    const image = (bytes: number) => ({ mime: 'image/png', bytes, read: async function* () {} })
    const promptMessage = (...bytes: number[]): PromptMessage => ({
      role: 'user',
      content: '',
      documents: [],
      images: bytes.map(image),
      imageSymbols: bytes.length * IMAGE_SYMBOLS,
    })
    const fitted = fitImages(
      { history: [promptMessage(5, 1), promptMessage(3)], question: promptMessage(4, 2), begun: '' },
      10,
    )
    expect(fitted.question.images.map(({ bytes }) => bytes)).toEqual([4, 2])
    expect(fitted.history.map((one) => one.images.map(({ bytes }) => bytes))).toEqual([[1], [3]])
    expect(fitted.history[0]).toMatchObject({ imageSymbols: IMAGE_SYMBOLS, documents: [expect.any(String)] })
    expect(fitted.imageBytes).toBe(10)
  })

  test('wait while too many are sent, or are refused before storing', async () => {
    const thread = await anna.newThread('seeing')
    const { id } = await uploadAndWait(anna, 'вид.png', makePng(10, 10))
    const release = await imagesInFlight.take(anna.user.id, 40 * MB)
    const refused = await hurry(anna.send(thread, { content: 'Что это?', fileIds: [id] }))
    expect(await refused.error()).toMatchObject({ status: 503, message: expect.stringContaining('Повторите через') })
    expect((await anna.read(thread)).Messages).toEqual([])
    setTimeout(release, 200)
    chat.provider.play(says('Вижу'))
    const sent = await anna.send(thread, { content: 'Что это?', fileIds: [id] })
    expect(await sent.message()).toMatchObject({ content: 'Вижу' })
  })

  test('that are missing in the storage fail the answer for free', async () => {
    const id = await oldImage(1000)
    await chat.app.files.storage.delete(`uploads/${id}`)
    const thread = await anna.newThread('seeing')
    const reading = await anna.send(thread, { content: 'Что это?', fileIds: [id] })
    expect(await reading.end()).toMatchObject({ type: 'error', message: expect.stringContaining('не сохранилась') })
    expect((await anna.read(thread)).Messages.at(-1)).toMatchObject({ status: 'failed', charged: 0 })
  })

  test('cannot be named twice', async () => {
    const { id } = await uploadAndWait(anna, 'вид.png', makePng(10, 10))
    const refused = await anna.send(await anna.newThread('seeing'), { content: '', fileIds: [id, id] })
    expect(await refused.error()).toMatchObject({ status: 400, field: 'fileIds' })
  })
})

describe('images for a model that does not see', () => {
  /** Ten large images that share one stored file. */
  async function largeImages() {
    const first = await oldImage(20 * MB)
    const [row] = await chat.app.db.select().from(files).where(eq(files.id, first))
    if (!row) throw new Error('no image')
    const more = Array.from({ length: 9 }, () => ({ ...row, id: newId() }))
    await chat.app.db.insert(files).values(more)
    return [first, ...more.map(({ id }) => id)]
  }

  test('are refused by their rows, without reading the files', async () => {
    const ids = await largeImages()
    const thread = await anna.newThread('fast')
    const read = vi.spyOn(chat.app.files.storage, 'read')
    const refused = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const repeated = Array.from({ length: 10 }, () => ids[0] ?? '')
        return anna.send(thread, { content: 'Что это?', fileIds: n % 2 === 0 ? ids : repeated })
      }),
    )
    const errors = await Promise.all(refused.map((one) => one.error()))
    expect(errors.map((error) => error?.status)).toEqual(Array.from({ length: 12 }, () => 400))
    expect(read).not.toHaveBeenCalled()
    expect((await anna.read(thread)).Messages).toEqual([])
    read.mockRestore()
  })

  test('in the history are left out without being read', async () => {
    chat.provider.play(says('Вижу'))
    const thread = await anna.newThread('seeing')
    const id = await oldImage(12 * MB)
    await (await anna.send(thread, { content: 'Что это?', fileIds: [id] })).message()
    const read = vi.spyOn(chat.app.files.storage, 'read')
    await (await anna.send(thread, { content: 'А ещё?', modelId: 'fast' })).message()
    expect(read).not.toHaveBeenCalled()
    read.mockRestore()
  })
})

describe('a message id that is in use', () => {
  const taken = { status: 409, code: 'conflict', field: 'id', message: expect.stringContaining('уже есть') }

  test.each([
    ['by another user', async () => chat.person()],
    ['in another thread of its own', async () => anna],
  ])('%s is a conflict that costs and stores nothing', async (_, owner) => {
    chat.provider.play(says('Да'))
    const id = newId()
    const first = await owner()
    await (await first.send(await first.newThread(), { content: 'Первый', id })).message()
    const boris = first === anna ? anna : await chat.person()
    const thread = await boris.newThread()
    const refused = await boris.send(thread, { content: 'Второй', id })
    expect(await refused.error()).toMatchObject(taken)
    expect((await boris.read(thread)).Messages).toEqual([])
    const [balance] = await chat.app.db.select().from(balances).where(eq(balances.userId, boris.user.id))
    expect(balance).toMatchObject({ held: 0 })
    const open = await chat.app.db.select().from(holds).where(eq(holds.userId, boris.user.id))
    expect(open.filter(({ state }) => state === 'active')).toEqual([])
    expect(await chat.app.db.select().from(messages).where(eq(messages.id, id))).toMatchObject([{ content: 'Первый' }])
  })

  test('by an answer is a conflict too', async () => {
    const thread = await anna.newThread()
    const answer = await (await anna.send(thread, { content: 'Первый' })).message()
    const refused = await anna.send(thread, { content: 'Второй', id: answer.id })
    expect(await refused.error()).toMatchObject(taken)
  })
})

test('an image that was read is sent as its text (S10.1089)', async () => {
  const boris = await chat.person()
  const file = await uploadAndWait(boris, 'чек.png', makePng(40, 40))
  const content = 'Итого 120 рублей'
  await chat.app.db.update(files).set({ content, symbols: 100 }).where(eq(files.id, file.id))
  chat.provider.play(says('120 рублей'))
  const thread = await boris.newThread('seeing')
  await (await boris.send(thread, { content: 'Сколько?', fileIds: [file.id] })).message()
  const sent = JSON.stringify(sentMessages())
  expect(sent).toContain(content)
  expect(sent).not.toContain('image_url')
})
