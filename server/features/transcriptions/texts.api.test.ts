import { eq } from 'drizzle-orm'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { addressOf } from '#contract/endpoint.ts'
import { filesApi } from '#contract/files.ts'
import {
  MAX_UNFINISHED_RECORDINGS,
  type SpeakerChange,
  transcriptionsApi,
  UPLOAD_CHUNK_BYTES,
} from '#contract/transcriptions.ts'
import { makeWav } from '#server/audio/testing/make-sound.ts'
import { files, transcriptions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { testApp } from '#server/testing/app.ts'
import { searchOf } from './rows.ts'
import { speakersIn } from './speakers.ts'
import { spokenRecording } from './spoken-lines.ts'
import { putChunk, settled, uploadAndTranscribe, uploadedIn } from './testing/record.ts'
import { deleteAbandonedUploads } from './transcriptions.ts'

const app = await testApp()
const anna = await app.signIn()

const recording = makeWav([{ seconds: 2, loud: 0.5 }])
const storedKeys = async () => {
  const keys: string[] = []
  for await (const { key } of app.files.storage.list('recordings')) keys.push(key)
  return keys
}

async function aTranscript(
  userId: string,
  title: string,
  text: string,
  segments: typeof transcriptions.$inferInsert.segments = null,
) {
  const id = newId()
  const row = { id, userId, title, fileName: 'a.wav', bytes: 10, received: 10, chunkBytes: 10, storageKey: id }
  await app.db
    .insert(transcriptions)
    .values({ ...row, state: 'ready', text, segments, mime: 'audio/wav', search: searchOf(title, text) })
  return id
}

test('a large file is uploaded in chunks, continued and played (S10.1404)', async () => {
  const large = makeWav([{ seconds: 3, loud: 0.5 }], { rate: 192_000, bits: 32, channels: 2 })
  const chunks = [large.subarray(0, UPLOAD_CHUNK_BYTES), large.subarray(UPLOAD_CHUNK_BYTES)]
  const draft = { name: 'Лекция.wav', bytes: large.length, title: 'Моя лекция' }
  const { id, received, chunkBytes } = await anna.call(transcriptionsApi.begin, { body: draft })
  expect([received, chunkBytes]).toEqual([0, UPLOAD_CHUNK_BYTES])
  expect((await anna.call(transcriptionsApi.list, { query: {} }))[0]).toMatchObject({ id, status: 'uploading' })

  expect((await putChunk(anna, id, UPLOAD_CHUNK_BYTES, chunks[1] ?? large)).status).toBe(409)
  expect((await putChunk(anna, id, 0, large.subarray(0, 1000))).status).toBe(400)
  expect((await putChunk(anna, id, 0, large)).status).toBe(413)
  expect((await uploadedIn(await putChunk(anna, id, 0, chunks[0] ?? large))).received).toBe(UPLOAD_CHUNK_BYTES)
  await expect(anna.call(transcriptionsApi.finish, { params: { id }, body: {} })).rejects.toMatchObject({ status: 409 })
  // The response was lost: the page asks for the offset, or sends the chunk again.
  expect((await uploadedIn(await putChunk(anna, id, 0, chunks[0] ?? large))).received).toBe(UPLOAD_CHUNK_BYTES)
  expect(await anna.call(transcriptionsApi.uploaded, { params: { id } })).toMatchObject({
    received: UPLOAD_CHUNK_BYTES,
  })
  expect((await uploadedIn(await putChunk(anna, id, UPLOAD_CHUNK_BYTES, chunks[1] ?? large))).received).toBe(
    large.length,
  )
  expect(await anna.call(transcriptionsApi.finish, { params: { id }, body: {} })).toMatchObject({
    status: 'queued',
    durationMs: 3000,
  })
  expect(await settled(app, anna, id)).toMatchObject({ status: 'ready', title: 'Моя лекция', charged: 20 })
  // A page that lost the responses repeats every call without effect.
  expect(await anna.call(transcriptionsApi.begin, { body: { ...draft, id } })).toMatchObject({
    id,
    received: large.length,
  })
  expect(await anna.call(transcriptionsApi.finish, { params: { id }, body: {} })).toMatchObject({
    status: 'ready',
    charged: 20,
  })
  const stranger = await app.signIn()
  await expect(stranger.call(transcriptionsApi.begin, { body: { ...draft, id } })).rejects.toMatchObject({
    status: 409,
  })

  const audio = `/api/transcriptions/${id}/audio`
  const whole = await anna.fetch(audio)
  expect(whole.headers.get('content-type')).toBe('audio/wav')
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  expect(whole.headers.get('content-security-policy')).toContain('sandbox')
  expect(Buffer.from(await whole.arrayBuffer()).equals(large)).toBe(true)
  const [from, to] = [UPLOAD_CHUNK_BYTES - 5, UPLOAD_CHUNK_BYTES + 4]
  const part = await anna.fetch(audio, { headers: { range: `bytes=${from}-${to}` } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to}/${large.length}`)
  expect(Buffer.from(await part.arrayBuffer()).equals(large.subarray(from, to + 1))).toBe(true)
  expect((await anna.fetch(audio, { headers: { range: `bytes=${large.length}-` } })).status).toBe(416)

  expect(await storedKeys()).toHaveLength(2)
  await anna.call(transcriptionsApi.delete, { params: { id } })
  expect(await storedKeys()).toEqual([])
})

test('a file that is not a recording fails at its first chunk', async () => {
  const { id } = await anna.call(transcriptionsApi.begin, { body: { name: 'a.mp3', bytes: 2000 } })
  const refused = await putChunk(anna, id, 0, Buffer.alloc(2000, 'текст '))
  expect(refused.status).toBe(415)
  await expect(anna.call(transcriptionsApi.uploaded, { params: { id } })).rejects.toMatchObject({ status: 404 })
  expect(await storedKeys()).toEqual([])
})

test('the number of unfinished recordings is limited, and abandoned uploads are deleted', async () => {
  const boris = await app.signIn()
  const begin = () => boris.call(transcriptionsApi.begin, { body: { name: 'a.wav', bytes: recording.length } })
  const begun = await Promise.all(Array.from({ length: MAX_UNFINISHED_RECORDINGS }, begin))
  await expect(begin()).rejects.toMatchObject({ status: 429 })
  await putChunk(boris, begun[0]?.id ?? '', 0, recording)
  const own = eq(transcriptions.userId, boris.user.id)
  await app.db
    .update(transcriptions)
    .set({ updatedAt: new Date(Date.now() - 8 * 86_400_000) })
    .where(own)
  await deleteAbandonedUploads(app.db, app.files.storage)
  expect(await app.db.$count(transcriptions, own)).toBe(0)
  expect(await storedKeys()).toEqual([])
  const largest = { name: 'a.wav', bytes: 500 * 1024 * 1024 + 1 }
  await expect(boris.call(transcriptionsApi.begin, { body: largest })).rejects.toMatchObject({ status: 400 })
})

test('a correction keeps the text of the model, which can be restored', async () => {
  const { id, text, segments } = await uploadAndTranscribe(app, anna, recording)
  const fixed = [{ start: 0, end: 2, text: 'Исправлено.' }]
  const change = (body: object) => anna.call(transcriptionsApi.update, { params: { id }, body })
  expect(await change({ segments: fixed })).toMatchObject({ text: 'Исправлено.', segments: fixed, edited: true })
  expect(await change({ text: 'Иначе.' })).toMatchObject({ text: 'Иначе.', segments: null, edited: true })
  expect(await change({ title: ' Новое имя ' })).toMatchObject({ title: 'Новое имя', text: 'Иначе.' })
  expect(await change({ original: true })).toMatchObject({ text, segments, edited: false, title: 'Новое имя' })
  await expect(change({ title: '  ' })).rejects.toMatchObject({ status: 400 })
  await anna.call(transcriptionsApi.delete, { params: { id } })
})

test('search finds any word form in titles and texts, with a fragment', async () => {
  const vera = await app.signIn()
  const meeting = await aTranscript(
    vera.user.id,
    'Планёрка',
    'Мы обсудили договор аренды. Ещё раз о сроках поставки оборудования.',
  )
  const lecture = await aTranscript(vera.user.id, 'Лекция о погоде', 'Облака бывают разные.')
  const find = async (query: string) =>
    (await vera.call(transcriptionsApi.list, { query: { query } })).map(({ id }) => id)
  expect(await find('договоры')).toEqual([meeting])
  expect(await find('погода')).toEqual([lecture])
  expect(await find('ljujdjh')).toEqual([meeting])
  expect(await find('сроки поставок')).toEqual([meeting])
  expect(await find('велосипед')).toEqual([])
  const [row] = await vera.call(transcriptionsApi.list, { query: { query: 'аренда' } })
  expect(row?.fragment.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['аренды'])
  await vera.call(transcriptionsApi.update, { params: { id: lecture }, body: { text: 'Велосипеды.' } })
  expect(await find('велосипед')).toEqual([lecture])
})

test('the list comes in pages, the newest first', async () => {
  const gleb = await app.signIn()
  const ids: string[] = []
  for (const title of ['один', 'два', 'три']) ids.unshift(await aTranscript(gleb.user.id, title, 'общее слово'))
  for (const query of ['', 'query=слова&']) {
    const first = await gleb.fetch(`/api/transcriptions?${query}limit=2`)
    const cursor = first.headers.get('x-next-cursor') ?? ''
    const second = await gleb.fetch(`/api/transcriptions?${query}limit=2&cursor=${cursor}`)
    const rows = [...((await first.json()) as { id: string }[]), ...((await second.json()) as { id: string }[])]
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(second.headers.get('x-next-cursor')).toBeNull()
  }
  expect((await gleb.fetch('/api/transcriptions?cursor=bad')).status).toBe(400)
})

test('the text is saved as TXT, SRT and DOCX with its name', async () => {
  const segments = [{ start: 0, end: 2.5, text: 'Здравствуйте.' }]
  const id = await aTranscript(anna.user.id, 'Разговор: часть 1/2', 'Здравствуйте.', segments)
  const file = (format: string) => anna.fetch(`/api/transcriptions/${id}/export?format=${format}`)
  const txt = await file('txt')
  expect(decodeURIComponent(txt.headers.get('content-disposition') ?? '')).toContain("UTF-8''Разговор часть 1 2.txt")
  expect(await txt.text()).toContain('Здравствуйте.')
  const srt = await file('srt')
  expect(srt.headers.get('content-type')).toContain('subrip')
  expect(await srt.text()).toContain('00:00:00,000 --> 00:00:02,500\r\nЗдравствуйте.')
  const docx = Buffer.from(await (await file('docx')).arrayBuffer())
  expect(docx.toString('latin1', 0, 2)).toBe('PK')
  expect((await file('pdf')).status).toBe(400)
  const plain = await aTranscript(anna.user.id, 'Без меток', 'Просто текст')
  expect((await anna.fetch(`/api/transcriptions/${plain}/export?format=srt`)).status).toBe(409)
})

test('asking about a recording makes a document for a message', async () => {
  const segments = [
    { start: 0, end: 2.5, text: 'Здравствуйте.' },
    { start: 65, end: 70, text: 'До свидания.' },
  ]
  const id = await aTranscript(anna.user.id, 'Разговор', 'Здравствуйте. До свидания.', segments)
  const file = await anna.call(transcriptionsApi.ask, { params: { id } })
  expect(file).toMatchObject({ kind: 'document', name: 'Разговор.txt', state: 'ready', mime: 'text/plain' })
  const [row] = await app.db.select().from(files).where(eq(files.id, file.id))
  expect(row?.content).toBe('[0:00] Здравствуйте.\n[1:05] До свидания.')
  expect(file.symbols).toBeGreaterThan(40)
  expect(await (await anna.fetch(addressOf(filesApi.content, { params: { id: file.id } }))).text()).toBe(row?.content)
  const silent = await aTranscript(anna.user.id, 'Тишина', '')
  await expect(anna.call(transcriptionsApi.ask, { params: { id: silent } })).rejects.toMatchObject({ status: 409 })
})

test('speakers are renamed and joined for their owner, in files too (S10.781, S10.782, S10.784)', async () => {
  const segments = [
    { start: 0, end: 2, text: 'Здравствуйте.', speaker: 's1' },
    { start: 2, end: 3, text: 'Добрый день.', speaker: 's2' },
    { start: 3, end: 4, text: 'Это снова я.', speaker: 's3' },
  ]
  const id = await aTranscript(anna.user.id, 'Встреча', 'Здравствуйте.', segments)
  await app.db
    .update(transcriptions)
    .set({ speakers: speakersIn(segments) })
    .where(eq(transcriptions.id, id))
  const change = (speakers: SpeakerChange[]) =>
    anna.call(transcriptionsApi.update, { params: { id }, body: { speakers } })
  expect((await change([{ key: 's1', name: ' Пётр ' }])).speakers.map(({ name }) => name)).toEqual([
    'Пётр',
    'Участник 2',
    'Участник 3',
  ])
  const joined = await change([{ key: 's3', joinedTo: 's1' }])
  expect(joined.speakers.map(({ key }) => key)).toEqual(['s1', 's2'])
  expect(joined.segments?.map(({ speaker }) => speaker)).toEqual(['s1', 's2', 's1'])
  const file = async (format: string) => (await anna.fetch(`/api/transcriptions/${id}/export?format=${format}`)).text()
  expect(await file('txt')).toContain('Пётр: Здравствуйте.\r\n\r\nУчастник 2: Добрый день.\r\n\r\nПётр: Это снова я.')
  expect(await file('srt')).toContain('[Пётр] Это снова я.')
  expect(await file('vtt')).toContain('<v Пётр>Это снова я.')
  const docx = await anna.fetch(`/api/transcriptions/${id}/export?format=docx`)
  const parts = unzipSync(new Uint8Array(await docx.arrayBuffer()))
  expect(strFromU8(parts['word/document.xml'] ?? new Uint8Array())).toContain('Участник 2, 0:02')
  const ctx = { db: app.db, user: anna.user }
  expect((await spokenRecording(ctx, id)).lines.at(-1)).toMatchObject({
    second: 3,
    speaker: 'Пётр',
    text: 'Это снова я.',
  })
  await expect(change([{ key: 's8', name: 'Кто' }])).rejects.toMatchObject({ status: 404 })
  await expect(change([{ key: 's1', name: 'я'.repeat(81) }])).rejects.toMatchObject({ status: 400 })
  const stranger = await app.signIn()
  await expect(
    stranger.call(transcriptionsApi.update, { params: { id }, body: { speakers: [{ key: 's1', name: 'Я' }] } }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(spokenRecording({ ...ctx, user: stranger.user }, id)).rejects.toThrow('нет расшифровки')
})

test("every call for another user's recording answers 404", async () => {
  const id = await aTranscript(anna.user.id, 'Секрет', 'Тайна')
  const stranger = await app.signIn()
  const body = { modelId: 'demo-transcription' }
  const calls = [
    () => stranger.call(transcriptionsApi.get, { params: { id } }),
    () => stranger.call(transcriptionsApi.update, { params: { id }, body: { title: 'моё' } }),
    () => stranger.call(transcriptionsApi.retry, { params: { id }, body }),
    () => stranger.call(transcriptionsApi.stop, { params: { id } }),
    () => stranger.call(transcriptionsApi.delete, { params: { id } }),
    () => stranger.call(transcriptionsApi.ask, { params: { id } }),
    () => stranger.call(transcriptionsApi.uploaded, { params: { id } }),
    () => stranger.call(transcriptionsApi.finish, { params: { id }, body: {} }),
  ]
  for (const ask of calls) await expect(ask()).rejects.toMatchObject({ status: 404 })
  for (const path of ['audio', 'export?format=txt'])
    expect((await stranger.fetch(`/api/transcriptions/${id}/${path}`)).status).toBe(404)
  expect((await putChunk(stranger, id, 0, recording)).status).toBe(404)
  expect(await stranger.call(transcriptionsApi.list, { query: { query: 'тайна' } })).toEqual([])
})
