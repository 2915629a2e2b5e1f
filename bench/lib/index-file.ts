import { request } from 'node:http'
import { join } from 'node:path'
import { assistants, files } from '#server/db/schema.ts'
import { findPassages } from '#server/features/knowledge/retrieve.ts'
import { makeDrawnPdf } from '#server/files/testing/make-pdf.ts'
import { newId } from '#server/lib/ids.ts'
import { openLog } from '#server/lib/log.ts'
import { diskStorage } from '#server/storage/disk.ts'
import { quantile, sleep } from './numbers.ts'
import { startOurs } from './our-server.ts'
import { addPeople } from './people.ts'
import type { Row } from './table.ts'

const PAGES = 200
const LINES = 48
const EVERY_MS = 10

/** The file is stored as one left by a dead process, so the server indexes it as soon as it starts. */
export async function indexRows(embedded: boolean): Promise<Row[]> {
  const id = newId()
  const assistantId = newId()
  const ours = await startOurs({ embedded }, 9, async (db, origin, folder) => {
    const [anna] = await addPeople(db, 1, origin)
    if (!anna) throw new Error('No user was created')
    await db.insert(assistants).values({ id: assistantId, userId: anna.id, name: 'Знаток', avatar: '📚' })
    const bytes = makeDrawnPdf(pages())
    await (await diskStorage(join(folder, 'files'))).put(`uploads/${id}`, bytes, 'application/pdf')
    const createdAt = new Date(Date.now() - 60_000)
    await db.insert(files).values({
      ...{ id, userId: anna.id, assistantId, kind: 'document', name: 'big.pdf', mime: 'application/pdf' },
      ...{ bytes: bytes.length, storageKey: `uploads/${id}`, state: 'uploaded', createdAt },
    })
    return anna
  })
  const started = performance.now()
  const health = probe(ours.port)
  let begun = started
  for (;;) {
    const response = await fetch(`${ours.url}/api/files/${id}`, { headers: ours.prepared.headers })
    const { state } = (await response.json()) as { state: string }
    if (state === 'uploaded') begun = performance.now()
    if (state === 'failed') throw new Error('The file failed')
    if (state === 'ready') break
    await sleep(100)
  }
  const ready = performance.now()
  const times = await health.stop(begun)
  const found = await ours.stopAndRead((db) =>
    findPassages(
      db,
      { hasVectors: false, providers: { embed: () => null }, log: openLog('silent') },
      { assistantId, question: 'shipment 1137', most: 5000 },
    ),
  )
  if (found.passages[0]?.place !== 'стр. 137') throw new Error(`Found ${found.passages[0]?.place}`)
  return [
    { what: 'до готовности, с', ours: (ready - begun) / 1000, goal: { most: 60 } },
    { what: '/api/health p50, мс', ours: quantile(times, 0.5) },
    { what: '/api/health p99, мс', ours: quantile(times, 0.99), goal: { most: 100 } },
    { what: '/api/health, дольше всего, мс', ours: Math.max(...times) },
    { what: 'запросов', ours: times.length },
  ]
}

function pages(): string[] {
  const words =
    'contract delivery payment warranty schedule penalty storage quality notice dispute renewal insurance'.split(' ')
  return Array.from({ length: PAGES }, (_, page) => {
    const lines = Array.from({ length: LINES }, (_, n) => {
      const word = (shift: number) => words[(page * 7 + n * 3 + shift) % words.length]
      return `(Shipment ${1001 + page} line ${n}: the ${word(0)} follows ${word(5)} and ${word(8)} within ${n} days.) Tj 0 -14 Td`
    })
    return `BT /F1 10 Tf 40 760 Td ${lines.join(' ')} ET`
  })
}

/** Requests `/api/health` again and again and records the response times. */
function probe(port: number) {
  const times: { at: number; ms: number }[] = []
  let isOver = false
  const ask = () =>
    new Promise<void>((done) => {
      const at = performance.now()
      request({ port, host: '127.0.0.1', path: '/api/health' }, (response) => {
        response.resume()
        response.once('end', () => {
          times.push({ at, ms: performance.now() - at })
          done()
        })
      })
        .once('error', () => done())
        .end()
    })
  const running = (async () => {
    while (!isOver) {
      void ask()
      await sleep(EVERY_MS)
    }
  })()
  return {
    stop: async (since: number) => {
      isOver = true
      await running
      return times.filter(({ at }) => at >= since).map(({ ms }) => ms)
    },
  }
}
