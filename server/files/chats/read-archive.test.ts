import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/testing/folder.ts'
import { readArchiveInThread } from './archive-thread.ts'
import { type ArchivePlace, BEGIN, openArchive } from './read-archive.ts'
import { claudeProject, deepSeekChat, json, simpleGptChat, writeArchive, zipOf } from './testing/fixtures.ts'

const folder = testFolder()

async function eventsOf(files: Uint8Array[], from: ArchivePlace = BEGIN, maxChatBytes?: number) {
  const paths: string[] = []
  for (const [i, bytes] of files.entries()) paths.push(await writeArchive(folder, `a${i}`, bytes))
  const archive = await openArchive(paths, maxChatBytes)
  try {
    const events = []
    for await (const event of archive.read(from)) events.push(event)
    return { events, notes: archive.notes, archive }
  } finally {
    archive.close()
  }
}
const idsOf = (events: Awaited<ReturnType<typeof eventsOf>>['events']) =>
  events.map((event) => (event.type === 'chat' ? event.chat.id : event.type === 'skipped' ? event.reason : event.type))

test('one file, fifty shards and several archives are read alike (S10.880)', async () => {
  const chats = Array.from({ length: 100 }, (_, i) => simpleGptChat(`c${i}`))
  const ids = chats.map(({ id }) => id)
  expect(idsOf((await eventsOf([json(chats)])).events)).toEqual(ids)
  const shard = (i: number) => json(chats.slice(i * 2, i * 2 + 2))
  const shards = Object.fromEntries(
    chats.slice(0, 50).map((_, i) => [`conversations-${String(i).padStart(3, '0')}.json`, shard(i)]),
  )
  expect(idsOf((await eventsOf([zipOf(shards)])).events)).toEqual(ids)
  const parts = [
    zipOf({ 'x/conversations.json': json(chats.slice(0, 60)) }),
    zipOf({ 'conversations.json': json(chats.slice(60)) }),
  ]
  expect(idsOf((await eventsOf(parts)).events)).toEqual(ids)
})

test('the rest of an archive is left aside (S10.880)', async () => {
  const { events, notes } = await eventsOf([
    zipOf({
      '__MACOSX/._conversations.json': 'garbage {[',
      'export/._conversations.json': json([simpleGptChat('mac')]),
      'chat.html': '<script>1</script>',
      'user.json': json({ id: 'u', email: 'a@b.c' }),
      'message_feedback.json': json([{ rating: 'up' }]),
      'projects.json': json([claudeProject]),
      '../../etc/conversations.json': json([simpleGptChat('up')]),
      'inner.zip': zipOf({ 'conversations.json': json([simpleGptChat('nested')]) }),
    }),
  ])
  expect(idsOf(events)).toEqual(['project', 'up'])
  expect(notes).toEqual({ nested: ['inner.zip'], locked: [] })
})

test('a broken entry is named and the next one is read (S10.880, S10.1129)', async () => {
  const chats = Array.from({ length: 40 }, (_, i) => simpleGptChat(`c${i}`, `Вопрос ${Math.sin(i)}`))
  const zip = zipOf({ 'conversations-000.json': json(chats), 'conversations-001.json': json([simpleGptChat('last')]) })
  // Damages the packed bytes of the first entry.
  zip.fill(0xff, 400, 500)
  const { events } = await eventsOf([zip])
  const ids = idsOf(events)
  expect(ids.filter((id) => id === 'cut-off')).toHaveLength(1)
  expect(events[ids.indexOf('cut-off')]).toMatchObject({
    name: 'conversations-000.json',
    chats: ids.indexOf('cut-off'),
  })
  expect(ids.at(-1)).toBe('last')
})

test('a file that breaks off says so after the last whole chat (S10.1129)', async () => {
  const chats = Array.from({ length: 9 }, (_, i) => simpleGptChat(`c${i}`))
  const text = JSON.stringify(chats)
  for (const length of [text.length - 1, text.length - 2, text.indexOf('"c8"'), text.indexOf('"c8"') - 300]) {
    const half = Buffer.from(text.slice(0, length))
    const { events } = await eventsOf([half])
    const whole = idsOf(events).filter((id) => id !== 'cut-off')
    expect(whole).toEqual(chats.map(({ id }) => id).slice(0, whole.length))
    expect(events.at(-1)).toMatchObject({ type: 'skipped', reason: 'cut-off', name: '', chats: whole.length })
    const place = { file: 0, text: 0, item: 3 }
    expect(idsOf((await eventsOf([half], place)).events)).toEqual(idsOf(events).slice(3))
  }
  const alone = await eventsOf([Buffer.from(JSON.stringify(chats[0]).slice(0, 200))])
  expect(alone.events).toMatchObject([{ reason: 'cut-off', chats: 0 }])
  const foreign = zipOf({ 'a.json': '{"x":', 'conversations.json': json(chats) })
  expect(idsOf((await eventsOf([foreign])).events)).toHaveLength(9)
})

test('one bad chat does not discard the file (S10.880)', async () => {
  const text = `[${JSON.stringify(simpleGptChat('a'))},{"title":"Плохой","mapping":{"x":}},${JSON.stringify(deepSeekChat('b'))}]`
  const long = { ...simpleGptChat('long'), padding: 'x'.repeat(5000) }
  const { events } = await eventsOf([Buffer.from(text.replace(/]$/, `,${JSON.stringify(long)}]`))], BEGIN, 4000)
  expect(idsOf(events)).toEqual(['a', 'broken', 'b', 'too-large'])
})

test('reading goes on from any place without gaps and doubles (S10.888)', async () => {
  const chats = Array.from({ length: 7 }, (_, i) => simpleGptChat(`c${i}`))
  const files = [
    zipOf({ 'conversations-000.json': json(chats.slice(0, 3)), 'conversations-001.json': json(chats.slice(3, 5)) }),
    json(chats.slice(5)),
  ]
  const { events } = await eventsOf(files)
  for (const [i, event] of events.entries())
    expect(idsOf((await eventsOf(files, event.next)).events)).toEqual(chats.slice(i + 1).map(({ id }) => id))
})

test('an archive that unpacks into too much is refused (S10.880)', async () => {
  const bomb = zipOf({ 'conversations.json': `[${' '.repeat(12 * 1024 ** 2)}]` })
  await expect(eventsOf([bomb])).rejects.toThrow('слишком большой')
  // A directory that names less than there is.
  const forged = zipOf({ 'conversations.json': `[${' '.repeat(5 * 1024 ** 2)}${JSON.stringify(simpleGptChat('x'))}]` })
  forged.writeUInt32LE(1000, forged.indexOf('PK\x01\x02', 0, 'latin1') + 24)
  expect(idsOf((await eventsOf([forged])).events)).toEqual(['cut-off'])
})

test.each([
  ['%PDF-1.7', /не архив ZIP и не JSON/],
  [`PK\x03\x04${'x'.repeat(50)}`, /повреждён/],
])('a file of another kind is named: %s (S10.880)', async (text, reason) => {
  await expect(eventsOf([Buffer.from(text)])).rejects.toThrow(reason)
})

test('a picture is found by its name and unpacked within a limit (S10.885)', async () => {
  const parts = [{ content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00ab' }]
  const chat = simpleGptChat('p')
  Object.assign(chat.mapping['p-q']?.message ?? {}, { content: { content_type: 'multimodal_text', parts } })
  const path = await writeArchive(
    folder,
    'p',
    zipOf({ 'conversations.json': json([chat]), 'user-1/file_00ab-uuid.dat': 'bytes' }),
  )
  const archive = await readArchiveInThread([path], { from: BEGIN, isBrief: false })
  try {
    const { items } = await archive.next()
    const picture = items
      .flatMap((item) => (item.type === 'chat' ? item.chat.messages : []))
      .flatMap((message) => message.pictures)[0]
    expect(picture).toMatchObject({ file: 0, entry: 1 })
    const entry = { file: 0, entry: 1 }
    expect(await archive.extract(entry, join(folder, 'out'), 100)).toBe(true)
    expect(await archive.extract(entry, join(folder, 'out2'), 3)).toBe(false)
    expect(await archive.extract({ file: 9, entry: 9 }, join(folder, 'out3'), 3)).toBe(false)
    expect((await archive.next()).items).toEqual([])
  } finally {
    await archive.close()
  }
})
