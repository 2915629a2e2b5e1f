import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterEach, expect, test } from 'vitest'
import { Closing, createPool, type Pool, type PoolLimits } from './pool.ts'
import { TOO_HEAVY, TOO_SLOW } from './rejections.ts'
import { makeDocx, makeXlsx, paragraph } from './testing/make-office.ts'
import { makePdf, makePdfBomb } from './testing/make-pdf.ts'
import { documents } from './types.ts'

const opened: Pool[] = []
afterEach(async () => {
  for (const pool of opened.splice(0)) await pool.close()
})

function open(limits: Partial<PoolLimits> = {}, create = createPool) {
  const pool = create({ threads: 1, workMs: 60_000, heapMb: 256, ...limits })
  opened.push(pool)
  const read = (type: keyof typeof documents, content: Buffer | string, onProgress?: (percent: number) => void) =>
    pool.use((parse) => parse({ mime: documents[type].mime, bytes: new Uint8Array(Buffer.from(content)) }, onProgress))
  return { pool, read }
}

const manyPages = makePdf(Array.from({ length: 10_000 }, (_, page) => `Page ${page}`))

test('a thread reads files after each other, also after an unreadable file', {
  timeout: 60_000,
}, async () => {
  const { read } = open()
  const steps: number[] = []
  expect(await read('pdf', makePdf(['One', 'Two']), (percent) => steps.push(percent))).toMatchObject({
    content: 'One\n\nTwo',
  })
  expect(steps).toEqual([50, 100])
  await expect(read('pdf', 'nothing of the kind')).rejects.toMatchObject({ name: 'Unreadable', message: /повреждён/ })
  await expect(read('docx', 'PK')).rejects.toMatchObject({ message: /повреждён/ })
  expect(await read('txt', 'После')).toMatchObject({ content: 'После' })
})

test('junk under any name fails, and the thread reads on (S10.737)', { timeout: 120_000 }, async () => {
  const { read } = open()
  const junk = Buffer.alloc(5000, '\u0001junk')
  for (const type of Object.keys(documents) as (keyof typeof documents)[])
    for (const bytes of [junk, Buffer.from('PK\u0003\u0004'), Buffer.from('d0cf11e0a1b11ae1', 'hex')])
      await expect(read(type, bytes), type).rejects.toMatchObject({ name: 'Unreadable' })
  expect(await read('txt', 'После')).toMatchObject({ content: 'После' })
})

test('a slow file ends its thread, and the next file is read', {
  timeout: 60_000,
}, async () => {
  const { read } = open({ workMs: 1000 })
  await expect(read('pdf', manyPages)).rejects.toMatchObject({ message: TOO_SLOW })
  expect(await read('txt', 'После')).toMatchObject({ content: 'После' })
})

test('a file that arrives while a thread ends is read by another (S10.498)', {
  timeout: 60_000,
}, async () => {
  const { read } = open({ idleMs: 20 })
  for (let n = 0; n < 5; n++) {
    expect(await read('txt', 'Цел')).toMatchObject({ content: 'Цел' })
    // As long as a thread stays idle: its end has begun then.
    await new Promise((done) => setTimeout(done, 20))
  }
})

test('a file that fills its thread’s memory fails, and the server continues', {
  timeout: 60_000,
}, async () => {
  const { read } = open({ heapMb: 64 })
  const paragraphs = Array.from({ length: 450_000 }, (_, n) => paragraph(`Абзац ${n}`)).join('')
  await expect(read('docx', makeDocx(paragraphs))).rejects.toMatchObject({ message: TOO_HEAVY })
  expect(await read('txt', 'После')).toMatchObject({ content: 'После' })
})

test('a PDF page that unpacks a thousandfold is rejected early', {
  timeout: 60_000,
}, async () => {
  const { read } = open()
  await read('txt', 'До')
  const bomb = await makePdfBomb(150)
  expect(bomb.length).toBeLessThan(1_000_000)
  const before = process.memoryUsage.rss()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  await expect(read('pdf', bomb)).rejects.toMatchObject({ message: TOO_HEAVY })
  clearInterval(watch)
  expect(most - before).toBeLessThan(250_000_000)
})

test('at most as many files as threads are loaded at once', async () => {
  const { pool } = open({ threads: 2 })
  let inside = 0
  let most = 0
  const turns = Array.from({ length: 12 }, (_, n) =>
    pool.use(
      async (parse) => {
        inside += 1
        most = Math.max(most, inside)
        const { content } = await parse({ mime: 'text/plain', bytes: new Uint8Array(Buffer.from(`файл ${n}`)) })
        inside -= 1
        return content
      },
      `person-${n % 3}`,
    ),
  )
  expect(await Promise.all(turns)).toEqual(turns.map((_, n) => `файл ${n}`))
  expect(most).toBe(2)
})

test('closing ends running reads and rejects waiting files', async () => {
  const { pool, read } = open()
  await read('txt', 'Готов')
  const reading = read('pdf', manyPages)
  const waiting = read('txt', 'Ждёт')
  await new Promise((done) => setTimeout(done, 100))
  await Promise.all([
    expect(reading).rejects.toBeInstanceOf(Closing),
    expect(waiting).rejects.toBeInstanceOf(Closing),
    pool.close(),
  ])
  await expect(read('txt', 'Поздно')).rejects.toBeInstanceOf(Closing)
})

test('in the production build the thread is a separate file', async () => {
  const outdir = join('node_modules', '.cache', `files-worker-${process.pid}`)
  try {
    await build({
      entryPoints: { pool: 'server/files/pool.ts', 'files-worker': 'server/files/worker.ts' },
      outdir,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
    })
    const url = pathToFileURL(join(process.cwd(), outdir, 'pool.js')).href
    const { createPool: createBuilt } = (await import(/* @vite-ignore */ url)) as { createPool: typeof createPool }
    const { read } = open({}, createBuilt)
    expect(await read('pdf', makePdf(['Built']))).toMatchObject({ content: 'Built' })
    expect(await read('xlsx', makeXlsx({ Лист1: '<row r="1"><c r="A1"><v>7</v></c></row>' }))).toMatchObject({
      content: '## Лист «Лист1»\n\n7',
    })
    await opened.pop()?.close()
  } finally {
    await rm(outdir, { recursive: true, force: true })
  }
})
