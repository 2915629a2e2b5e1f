import sharp from 'sharp'
import { expect, test } from 'vitest'
import { demoDraw } from './demo-image.ts'

const draw = (prompt: string, seed: string, size: '1024x1024' | '1536x1024' = '1024x1024') =>
  demoDraw({ model: 'demo-image', prompt, seed, size }, new AbortController().signal)

test('the demo draws a PNG of the requested size, stable by words', async () => {
  const [first, again, other, wide] = await Promise.all([
    draw('кот', '1'),
    draw('кот', '1'),
    draw('пёс', '1'),
    draw('кот', '2', '1536x1024'),
  ])
  expect(Buffer.compare(first.bytes, again.bytes)).toBe(0)
  expect(Buffer.compare(first.bytes, other.bytes)).not.toBe(0)
  expect(await sharp(wide.bytes).metadata()).toMatchObject({ format: 'png', width: 1536, height: 1024 })
})

test('the demo stops when it is aborted', async () => {
  await expect(demoDraw({ model: '', prompt: '', seed: '', size: 'auto' }, AbortSignal.abort())).rejects.toThrow()
})
