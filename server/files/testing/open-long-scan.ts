import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { readPdf } from '../read-pdf.ts'
import { makeScanPdf } from './make-scan.ts'

/**
 * Opens a scan in a process of its own and prints how much memory is held while it is read: no garbage of other tests is
 * counted. Needs --expose-gc.
 */
const [PAGES, WIDTH, HEIGHT, EVERY] = [600, 400, 560, 40]

const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const
const picture = await sharp(randomBytes(WIDTH * HEIGHT * 3), { raw })
  .jpeg({ quality: 20 })
  .toBuffer()
// Words in columns: such a page is asked for its drawing, where its image is.
const words = 'BT /F1 9 Tf 40 700 Td (Item) Tj 200 0 Td (Price) Tj -200 -14 Td (Paper) Tj 200 0 Td (12) Tj ET'
const scan = makeScanPdf(
  Array.from({ length: PAGES }, (_, n) => ({ picture, width: WIDTH, height: HEIGHT, words: n % 2 === 0 ? words : '' })),
)

const held: number[] = []
let page = 0
const { pdf } = await readPdf(new Uint8Array(scan), () => {
  page += 1
  if (page % EVERY !== 0) return
  if (!globalThis.gc) throw new Error('run with --expose-gc')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  held.push(heapUsed + external)
})
const [first = 0] = held
process.stdout.write(
  JSON.stringify({
    pages: pdf?.pageCount,
    grown: Math.max(...held) - first,
    fileBytes: scan.length,
    decodedBytes: PAGES * WIDTH * HEIGHT * 3,
  }),
)
