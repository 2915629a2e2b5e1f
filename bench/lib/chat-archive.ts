import { createWriteStream } from 'node:fs'
import { parseArgs } from 'node:util'
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/**
 * Writes an archive of ChatGPT: shards of chats, then sounds that fill it up, because real archives of this size are
 * mostly pictures and voices. A program of its own, so that its memory counts nowhere.
 */

const { values: flags } = parseArgs({
  options: { path: { type: 'string' }, chats: { type: 'string' }, megabytes: { type: 'string' } },
})
const CHATS = Number(flags.chats)
const BYTES = Number(flags.megabytes) * 1024 ** 2
const SHARD = 400

const words =
  'договор поставка склад отчёт письмо клиент срок цена план встреча ответ вопрос пример расчёт таблица текст'.split(
    ' ',
  )

if (!flags.path) throw new Error('Where the archive is written is missing')
await writeArchive(flags.path)

async function writeArchive(path: string) {
  const out = createWriteStream(path)
  let written = 0
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    written += chunk.length
    out.write(chunk)
  })
  const drained = () => new Promise<void>((done) => (out.writableNeedDrain ? out.once('drain', done) : done()))
  for (let from = 0; from < CHATS; from += SHARD) {
    const shard = new ZipDeflate(`conversations-${String(from / SHARD).padStart(3, '0')}.json`, { level: 1 })
    zip.add(shard)
    shard.push(strToU8('['))
    const to = Math.min(CHATS, from + SHARD)
    for (let i = from; i < to; i += 1) {
      shard.push(strToU8(JSON.stringify(chat(i)) + (i + 1 < to ? ',' : '')))
      await drained()
    }
    shard.push(strToU8(']'), true)
  }
  const noise = Buffer.alloc(8 * 1024 ** 2)
  for (let i = 0; i < noise.length; i += 4) noise.writeUInt32LE((Math.imul(i, 2_654_435_761) ^ (i << 7)) >>> 0, i)
  // The directory of the archive comes last and must fit too.
  for (let i = 0; written + 2 * noise.length < BYTES; i += 1) {
    const sound = new ZipPassThrough(`audio/file_${i}.wav`)
    zip.add(sound)
    sound.push(noise, true)
    await drained()
  }
  zip.end()
  await new Promise<void>((done) => out.end(done))
}

function chat(i: number) {
  const id = `chat-${i}`
  const time = 1_680_000_000 + i * 3600
  const nodes = Array.from({ length: 10 }, (_, n) => {
    const text = Array.from({ length: 100 }, (_, w) => words[(i * 7 + n * 3 + w * w) % words.length]).join(' ')
    const content = { content_type: 'text', parts: [`${text} ${i}`] }
    const author = { role: n % 2 === 0 ? 'user' : 'assistant', name: null, metadata: {} }
    const metadata = { model_slug: 'gpt-4o', request_id: `request-${i}-${n}`, finish_details: { type: 'stop' } }
    const message = {
      id: `${id}-${n}`,
      author,
      create_time: time + n,
      content,
      status: 'finished_successfully',
      recipient: 'all',
      metadata,
    }
    const children = n < 9 ? [`${id}-${n + 1}`] : []
    return [`${id}-${n}`, { id: `${id}-${n}`, parent: n > 0 ? `${id}-${n - 1}` : null, children, message }]
  })
  return {
    ...{ id, conversation_id: id, title: `Чат номер ${i}`, create_time: time, update_time: time + 20 },
    ...{ mapping: Object.fromEntries(nodes), current_node: `${id}-9`, default_model_slug: 'gpt-4o' },
  }
}
