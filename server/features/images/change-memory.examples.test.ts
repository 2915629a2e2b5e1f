import { randomFillSync } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Area } from '#contract/image-area.ts'
import { finishChange, prepareChange } from './change-pixels.ts'

const MB = 1024 * 1024
const area: Area = [{ type: 'stroke', width: 2000, erases: false, points: [2000, 2000, 8000, 8000] }]

/** Noise, which no encoder makes smaller. */
function makePhoto(side: number): Promise<Buffer> {
  const pixels = randomFillSync(Buffer.alloc(side * side * 3))
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

const drawn = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#c33' } })
  .png()
  .toBuffer()

async function change(original: Buffer) {
  const input = { original, examples: [], area, size: 'auto' as const }
  const prepared = await prepareChange({ ...input, sizes: ['1024x1024'], takesArea: true })
  return (await finishChange(prepared, drawn)).bytes.length
}

test('of twelve changes at once two are worked on (S10.834)', async () => {
  const photo = await makePhoto(200)
  let most = 0
  const count = () => {
    const { queue, process } = sharp.counters()
    most = Math.max(most, queue + process)
  }
  sharp.queue.on('change', count)
  const sizes = await Promise.all(Array.from({ length: 12 }, () => change(photo)))
  sharp.queue.off('change', count)
  expect(sizes).toHaveLength(12)
  // The counters may still count a step that each of the two has ended; without turns they count twelve.
  expect(most).toBeLessThanOrEqual(4)
})

test('a change of 20 MB takes bounded memory (S10.834)', async () => {
  const photo = await makePhoto(2650)
  expect(photo.length).toBeGreaterThan(20 * MB)
  const before = process.memoryUsage().rss
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before)
  }, 20)
  const size = await change(photo)
  clearInterval(timer)
  expect(size).toBeGreaterThan(10 * MB)
  expect(most / MB).toBeLessThan(400)
}, 180_000)
