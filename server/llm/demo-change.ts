import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { sizeInPixels } from '#contract/image-skills.ts'
import { type Box, demoLabel } from './demo-label.ts'
import type { DrawChange, DrawnImage, DrawRequest } from './llm.ts'

interface Colour {
  r: number
  g: number
  b: number
}

type ChangeRequest = DrawRequest & { change: DrawChange }

/**
 * Recolours the marked area, or all of the image, without a provider: in the colour that the prompt names, else in that
 * of the first example, else in one chosen by the prompt. The label «Демо» stands in the area.
 */
export async function demoChange(
  { prompt, size, change, onPartial }: ChangeRequest,
  signal: AbortSignal,
): Promise<DrawnImage> {
  const { default: sharp } = await import('sharp')
  const [given, example] = change.images
  if (!given) throw new Error('A change without an image')
  const frame = size === 'auto' ? null : sizeInPixels(size)
  const open = (): Sharp => (frame ? sharp(given.bytes).resize({ ...frame, fit: 'cover' }) : sharp(given.bytes))
  const { data, info } = await open().removeAlpha().png().toBuffer({ resolveWithObject: true })
  const colour = namedColour(prompt) ?? (example ? (await sharp(example.bytes).stats()).dominant : colourFor(prompt))
  signal.throwIfAborted()
  const tinted = await sharp(data).tint(colour).png().toBuffer()
  onPartial?.(await sharp(tinted).blur(12).png().toBuffer())
  if (!change.area) return { bytes: await labelled(sharp(tinted), info, demoLabel({ left: 0, top: 0, ...info })) }
  const marked = await sharp(change.area).ensureAlpha().extractChannel('alpha').negate().raw().toBuffer()
  const layer = await sharp(tinted)
    .joinChannel(marked, { raw: { width: info.width, height: info.height, channels: 1 } })
    .png()
    .toBuffer()
  return {
    bytes: await labelled(sharp(data).composite([{ input: layer }]), info, demoLabel(boxOf(marked, info.width), true)),
  }
}

async function labelled(
  image: Sharp,
  { width, height }: { width: number; height: number },
  label: string,
): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${label}</svg>`
  return sharp(await image.png().toBuffer())
    .composite([{ input: Buffer.from(svg) }])
    .png()
    .toBuffer()
}

/** The smallest box around everything that is marked. */
function boxOf(marked: Buffer, width: number): Box {
  let [left, right, top, bottom] = [width, 0, marked.length / width, 0]
  for (let at = 0; at < marked.length; at += 1) {
    if ((marked[at] ?? 0) < 128) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + 1)
  }
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}

const named: [RegExp, Colour][] = [
  [/красн|алы[йм]/i, { r: 220, g: 40, b: 40 }],
  [/оранж/i, { r: 240, g: 130, b: 20 }],
  [/ж[её]лт|золот/i, { r: 240, g: 200, b: 30 }],
  [/зел[её]н/i, { r: 40, g: 170, b: 70 }],
  [/голуб|бирюз/i, { r: 60, g: 180, b: 220 }],
  [/син/i, { r: 40, g: 80, b: 220 }],
  [/фиолет|лилов|сирен/i, { r: 130, g: 60, b: 200 }],
  [/роз/i, { r: 240, g: 120, b: 170 }],
]

const namedColour = (prompt: string) => named.find(([word]) => word.test(prompt))?.[1]

function colourFor(prompt: string): Colour {
  const index = createHash('sha256').update(prompt).digest().readUInt32LE(0) % named.length
  return named[index]?.[1] ?? { r: 40, g: 80, b: 220 }
}
