import { createPool } from '#server/files/pool.ts'
import { makeDocx, makeXlsx, paragraph } from '#server/files/testing/make-office.ts'
import { makeDrawnPdf, makeLockedPdf, makePdf, makePdfBomb } from '#server/files/testing/make-pdf.ts'
import { documents } from '#server/files/types.ts'
import { sleep } from './numbers.ts'
import type { Row } from './table.ts'

const MB = 1024 * 1024
const ROUNDS = 3

/** Reads ten hostile files three times, as uploads are read; the growth of memory is counted after the first round. */
export async function hostileRows(): Promise<Row[]> {
  const pool = createPool({ threads: 1, wallMs: 60_000, heapMb: 512 })
  const spaces = new Uint8Array(12 * MB).fill(32)
  const wide = Array.from({ length: 5000 }, (_, n) => `<row r="${n + 1}"><c r="XFD${n + 1}"><v>1</v></c></row>`).join(
    '',
  )
  const hostile: [keyof typeof documents, Buffer][] = [
    ['pdf', makeDrawnPdf(['0 0 100 100 re f'])],
    ['pdf', makeLockedPdf()],
    ['pdf', makePdf(['x']).subarray(0, 60)],
    ['pdf', await makePdfBomb(150)],
    ['pdf', makePdf(Array.from({ length: 10_000 }, (_, page) => `Page ${page}`))],
    ['docx', makeDocx(paragraph('x'), { 'word/bomb.xml': spaces })],
    ['docx', makeDocx('', { 'word/document.xml': '<w:document>' })],
    ['xlsx', makeXlsx({ Лист: wide })],
    ['txt', Buffer.concat([Buffer.alloc(MB, 120), Buffer.from([0])])],
    ['csv', Buffer.from('"открыта;'.repeat(100_000))],
  ]
  const after: number[] = []
  let most = 0
  let outcomes = { read: 0, refused: 0 }
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const started = performance.now()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [type, content] of hostile) {
      const order = { mime: documents[type].mime, bytes: new Uint8Array(content) }
      const isRead = await pool
        .use((parse) => parse(order))
        .then(
          () => true,
          () => false,
        )
      outcomes = { read: outcomes.read + Number(isRead), refused: outcomes.refused + Number(!isRead) }
    }
    await sleep(500)
    after.push(process.memoryUsage.rss())
  }
  clearInterval(watch)
  const seconds = (performance.now() - started) / 1000
  await pool.close()
  const grown = ((after.at(-1) ?? 0) - (after[0] ?? 0)) / MB
  return [
    { what: 'прочитано', ours: outcomes.read },
    { what: 'отказано с причиной', ours: outcomes.refused },
    { what: 'всего, с', ours: seconds },
    { what: 'память после первых десяти, МБ', ours: (after[0] ?? 0) / MB },
    { what: 'выросла за следующие двадцать, МБ', ours: Math.max(0, grown), goal: { most: 100 } },
    { what: 'больше всего, МБ', ours: most / MB },
  ]
}
