import type { Raw } from 'sharp'
import type { Area } from '#contract/image-area.ts'
import type { ImageSize } from '#contract/image-skills.ts'
import { decodeLimits, inTurn, loadSharp } from '#server/files/image.ts'
import { drawArea, encodePixels, putBack, readPixels } from '#server/files/image-area.ts'
import { AppError } from '#server/lib/errors.ts'
import { type DrawChange, drawError, type GivenImage } from '#server/llm/llm.ts'

/** Models scale down anything larger. */
const MAX_SENT_SIDE = 2048
const MAX_SENT_BYTES = 4 * 1024 * 1024

/** Where the image lies in the frame that was sent: its own pixels, and what was added around them. */
interface Frame {
  width: number
  height: number
  left: number
  top: number
  right: number
  bottom: number
}

interface PreparedChange {
  sent: DrawChange
  size: ImageSize
  /** Null when the whole image may change. */
  kept: { original: Uint8Array; area: Area; frame: Frame } | null
}

interface ChangeInput {
  original: Uint8Array
  examples: Uint8Array[]
  area: Area | null
  size: ImageSize
  sizes: readonly ImageSize[]
  /** The model is told the area. */
  takesArea: boolean
}

/** Makes the images ready to be sent: upright, no larger than models use, in a frame that the model can keep. */
export function prepareChange(input: ChangeInput): Promise<PreparedChange> {
  return inTurn(async () => {
    const { original, area } = input
    const examples: GivenImage[] = []
    for (const example of input.examples) examples.push(await readyToSend(example, null))
    if (!area) {
      const sent = { images: [await readyToSend(original, null), ...examples], area: null }
      return { sent, size: input.size, kept: null }
    }
    const { width, height } = await uprightSize(original)
    const { size, frame } = frameFor(width, height, input.sizes)
    const sent = sentFrame(frame)
    const image = await readyToSend(original, sent)
    const marked = await areaToSend(area, sent)
    if (!marked.some((byte) => byte > 127))
      throw new AppError('bad_request', 'Кистью ничего не отмечено. Отметьте, где менять.')
    const png = input.takesArea ? await asTransparency(marked, framed(sent)) : null
    return { sent: { images: [image, ...examples], area: png }, size, kept: { original, area, frame } }
  })
}

async function uprightSize(bytes: Uint8Array) {
  const sharp = await loadSharp()
  const { autoOrient } = await sharp(bytes, decodeLimits).metadata()
  return autoOrient
}

/** The proportions nearest to those of the image; what is missing to them is added on both sides. */
function frameFor(width: number, height: number, sizes: readonly ImageSize[]): { size: ImageSize; frame: Frame } {
  const whole = { width, height, left: 0, top: 0, right: 0, bottom: 0 }
  const [best] = sizes
    .flatMap((size) => {
      const [w, h] = size.split('x').map(Number)
      return w && h ? [{ size, ratio: w / h }] : []
    })
    .toSorted((a, b) => distance(a.ratio, width / height) - distance(b.ratio, width / height))
  if (!best) return { size: 'auto', frame: whole }
  const missing = { x: Math.round(height * best.ratio) - width, y: Math.round(width / best.ratio) - height }
  const [x, y] = [Math.max(0, missing.x), Math.max(0, missing.y)]
  const [left, top] = [Math.floor(x / 2), Math.floor(y / 2)]
  return { size: best.size, frame: { width, height, left, top, right: x - left, bottom: y - top } }
}

const distance = (a: number, b: number) => Math.abs(Math.log(a / b))

const framed = ({ width, height, left, top, right, bottom }: Frame) => ({
  width: left + width + right,
  height: top + height + bottom,
})

/** The frame as it is sent, where the longest side is limited. */
function sentFrame(frame: Frame): Frame {
  const outer = framed(frame)
  const scale = Math.min(1, MAX_SENT_SIDE / Math.max(outer.width, outer.height))
  const [left, top] = [Math.round(frame.left * scale), Math.round(frame.top * scale)]
  const width = Math.max(1, Math.round(frame.width * scale))
  const height = Math.max(1, Math.round(frame.height * scale))
  const right = Math.max(0, Math.round(outer.width * scale) - left - width)
  return { width, height, left, top, right, bottom: Math.max(0, Math.round(outer.height * scale) - top - height) }
}

async function readyToSend(bytes: Uint8Array, frame: Frame | null): Promise<GivenImage> {
  const sharp = await loadSharp()
  const upright = sharp(bytes, decodeLimits).autoOrient().toColourspace('srgb')
  try {
    const sized = frame
      ? upright.resize({ width: frame.width, height: frame.height, fit: 'fill' }).extend({
          ...bordersOf(frame),
          extendWith: 'mirror',
        })
      : upright.resize({ width: MAX_SENT_SIDE, height: MAX_SENT_SIDE, fit: 'inside', withoutEnlargement: true })
    const { data, info } = await sized.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    const pixels = { data, width: info.width, height: info.height, channels: info.channels }
    const png = (await isSmallAsPng(pixels)) ? await fromRaw(sharp, pixels).png().toBuffer() : null
    if (png && png.length <= MAX_SENT_BYTES) return { mime: 'image/png', bytes: png }
    return { mime: 'image/webp', bytes: await fromRaw(sharp, pixels).webp({ quality: 88, effort: 2 }).toBuffer() }
  } catch {
    throw new AppError('bad_request', 'Картинка повреждена и не читается. Возьмите другую.')
  }
}

type RawPixels = Raw & { data: Buffer }

const fromRaw = (sharp: Awaited<ReturnType<typeof loadSharp>>, { data, ...raw }: RawPixels) => sharp(data, { raw })

/** Eight rows of every 128 are encoded first: a photo is too large as PNG, and encoding all of it takes half a second. */
const [SAMPLE_ROWS, SAMPLE_STEP] = [8, 128]

async function isSmallAsPng(pixels: RawPixels): Promise<boolean> {
  const { data, width, channels } = pixels
  if (data.length <= MAX_SENT_BYTES) return true
  const row = width * channels
  const strips: Buffer[] = []
  for (let at = 0; at < data.length; at += SAMPLE_STEP * row) strips.push(data.subarray(at, at + SAMPLE_ROWS * row))
  const sample = Buffer.concat(strips)
  const height = sample.length / row
  const { length } = await fromRaw(await loadSharp(), { data: sample, width, height, channels })
    .png()
    .toBuffer()
  return (length / sample.length) * data.length <= MAX_SENT_BYTES * SAMPLE_MARGIN
}

/** A sample compresses worse than the whole. */
const SAMPLE_MARGIN = 1.5

const bordersOf = ({ left, top, right, bottom }: Frame) => ({ left, top, right, bottom })

/** One byte a pixel of the image that is sent; nothing is marked in what was added. */
async function areaToSend(area: Area, frame: Frame): Promise<Buffer> {
  const sharp = await loadSharp()
  const { width, height } = frame
  return sharp(await drawArea(area, width, height), { raw: { width, height, channels: 1 } })
    .extend({ ...bordersOf(frame), background: '#000' })
    .extractChannel(0)
    .raw()
    .toBuffer()
}

/** A PNG that is transparent where something may change. */
async function asTransparency(marked: Buffer, size: { width: number; height: number }): Promise<Buffer> {
  const sharp = await loadSharp()
  const alpha = Buffer.from(marked.map((byte) => 255 - byte))
  return sharp({ create: { ...size, channels: 3, background: '#000' } })
    .joinChannel(alpha, { raw: { ...size, channels: 1 } })
    .png()
    .toBuffer()
}

/** The proportions may differ by this much before the model counts as having moved everything. */
const SAME_RATIO = 0.03

/** Puts the untouched part of the original back. The model's own image is returned too when it changed that part. */
export function finishChange(
  { kept }: PreparedChange,
  drawn: Uint8Array,
): Promise<{ bytes: Uint8Array; whole: Uint8Array | null }> {
  if (!kept) return Promise.resolve({ bytes: drawn, whole: null })
  return inTurn(async () => {
    const { original: bytes, area, frame } = kept
    const { changed, isSameShape } = await changedPixels(drawn, frame)
    const original = await readPixels(bytes)
    if (!original) throw new AppError('bad_request', 'Исходная картинка повреждена и не читается.')
    const marked = await drawArea(area, original.width, original.height)
    const { hasMoved } = await putBack(original, changed, marked)
    const result = await encodePixels(original)
    return { bytes: result, whole: hasMoved || !isSameShape ? await asWebp(drawn) : null }
  })
}

/** The model's image in the size of the original, without what was added around it. */
async function changedPixels(drawn: Uint8Array, frame: Frame): Promise<{ changed: Buffer; isSameShape: boolean }> {
  const sharp = await loadSharp()
  const { width, height, left, top } = frame
  const outer = framed(frame)
  try {
    const { autoOrient } = await sharp(drawn, decodeLimits).metadata()
    const shape = distance(autoOrient.width / autoOrient.height, outer.width / outer.height)
    const data = await sharp(drawn, decodeLimits)
      .autoOrient()
      .resize({ ...outer, fit: 'fill' })
      .extract({ left, top, width, height })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer()
    return { changed: data, isSameShape: shape <= SAME_RATIO }
  } catch {
    throw drawError('down', { reason: 'without-image' })
  }
}

async function asWebp(bytes: Uint8Array): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(bytes, decodeLimits).autoOrient().webp({ quality: 90 }).toBuffer()
}
