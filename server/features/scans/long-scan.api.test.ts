import { randomBytes } from 'node:crypto'
import { copyFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makePaper, makeScanPdf } from '#server/files/testing/make-scan.ts'
import { newId } from '#server/lib/ids.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { usedBytes } from '#server/testing/memory.ts'
import { addFileAndWait } from '../assistants/testing/add-file.ts'
import { PAGE_PRICE, reads, startReading } from './testing/reader.ts'

const [SIDE, PAGES, FIRST] = [1400, 20, 4]
/** Noise cannot be compressed, so a picture of it is as large as that of any page. */
const noisy = join(tmpdir(), `noise-${newId()}.jpg`)
const noise = { width: SIDE, height: SIDE, channels: 3 } as const
await writeFile(
  noisy,
  await sharp(randomBytes(SIDE * SIDE * 3), { raw: noise })
    .jpeg()
    .toBuffer(),
)
const render = async () => {
  const path = join(tmpdir(), `${newId()}.jpg`)
  await copyFile(noisy, path)
  return path
}
const app = await closeAfterTests(startReading({ startSymbols: PAGES * PAGE_PRICE, reading: { render } }))

test('a long scan has one page in memory at a time (S10.766)', { timeout: 120_000 }, async () => {
  const anna = await app.signIn()
  const { id } = await app.makeAssistant(anna)
  const paper = await makePaper(['Акт'], 60, 80)
  const file = await addFileAndWait(anna, id, 'акт.pdf', makeScanPdf(Array.from({ length: PAGES }, () => paper)))
  const used: number[] = []
  let sent = 0
  app.vision.play((response, body) => {
    sent += JSON.stringify(body.messages).length
    app.vision.received.length = 0
    used.push(usedBytes())
    return reads('Страница')(response, body)
  })
  expect(await app.read(anna, file.id)).toMatchObject({ state: 'ready', read: PAGES })
  const grown = Math.max(...used.slice(FIRST)) - Math.max(...used.slice(0, FIRST))
  // All pages together are several times the bound.
  expect(sent).toBeGreaterThan(30_000_000)
  expect(grown).toBeLessThan(10_000_000)
})
