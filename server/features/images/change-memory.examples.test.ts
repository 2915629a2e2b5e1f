import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Area } from '#contract/image-area.ts'
import { finishChange, prepareChange } from './change-pixels.ts'

const MB = 1024 * 1024
const area: Area = [{ type: 'stroke', width: 2000, erases: false, points: [2000, 2000, 8000, 8000] }]

test('twelve changes of 20 MB at once take bounded memory (S10.834)', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const photo = await sharp({ create: { width: 2650, height: 2650, channels: 3, background: 'black', noise } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  expect(photo.length).toBeGreaterThan(20 * MB)
  const drawn = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
  const before = process.memoryUsage().rss
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before)
  }, 20)
  const change = async () => {
    const input = { original: Buffer.from(photo), examples: [], area, size: 'auto' as const }
    const prepared = await prepareChange({ ...input, sizes: ['1024x1024'], takesArea: true })
    const { bytes } = await finishChange(prepared, drawn)
    return bytes.length
  }
  const sizes = await Promise.all(Array.from({ length: 12 }, change))
  clearInterval(timer)
  expect(sizes.every((size) => size > 10 * MB)).toBe(true)
  // The twelve originals and results, which a queue of four never holds at once, are 480 MB of it.
  expect(most / MB).toBeLessThan(1000)
}, 180_000)
