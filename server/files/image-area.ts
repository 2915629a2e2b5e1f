import { AREA_UNIT, type Area, type AreaShape, areaShapes } from '#contract/image-area.ts'
import { decodeLimits, loadSharp } from './image.ts'

export interface Pixels {
  width: number
  height: number
  /** Four bytes a pixel: red, green, blue, alpha. */
  data: Buffer
}

/** Larger images would take too much memory as plain pixels. */
export const MAX_AREA_PIXELS = 16_000_000

/** Share of the shorter side over which the edge of a change fades. */
const SOFT_EDGE = 0.008

/**
 * One byte a pixel: 255 may change, 0 stays, between them both are mixed. The edge fades to the inside, so nothing
 * outside the marks changes.
 */
export async function drawArea(area: Area, width: number, height: number): Promise<Buffer> {
  const sharp = await loadSharp()
  const hard = await sharp(Buffer.from(areaSvg(area, width, height)))
    .extractChannel('red')
    .raw()
    .toBuffer()
  const sigma = (Math.min(width, height) * SOFT_EDGE) / 2
  if (sigma < 0.3) return hard
  const soft = await sharp(hard, { raw: { width, height, channels: 1 } })
    .blur(sigma)
    .extractChannel(0)
    .raw()
    .toBuffer()
  for (let pixel = 0; pixel < hard.length; pixel += 1) {
    const inner = Math.min(255, Math.max(0, ((soft[pixel] ?? 0) - 127) * 2))
    hard[pixel] = Math.min(hard[pixel] ?? 0, inner)
  }
  return hard
}

function areaSvg(area: Area, width: number, height: number): string {
  const { isGroundMarked, shapes } = areaShapes(area)
  const drawn = shapes.map((shape) => shapeSvg(shape, width, height)).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" fill="${colourOf(isGroundMarked)}"/>${drawn}</svg>`
}

const colourOf = (isMarked: boolean) => (isMarked ? '#fff' : '#000')

function shapeSvg({ step, marks }: AreaShape, width: number, height: number): string {
  const [x, y] = [
    (value: number) => round((value * width) / AREA_UNIT),
    (value: number) => round((value * height) / AREA_UNIT),
  ]
  const colour = colourOf(marks)
  if (step.type === 'rectangle')
    return `<rect x="${x(step.x)}" y="${y(step.y)}" width="${x(step.width)}" height="${y(step.height)}" fill="${colour}"/>`
  const pairs: string[] = []
  for (let at = 0; at + 1 < step.points.length; at += 2)
    pairs.push(`${x(step.points[at] ?? 0)} ${y(step.points[at + 1] ?? 0)}`)
  // A single point is drawn as a line of no length, whose round ends make a dot.
  if (pairs.length === 1) pairs.push(pairs[0] ?? '')
  return `<path d="M${pairs.join('L')}" fill="none" stroke="${colour}" stroke-width="${x(step.width)}" stroke-linecap="round" stroke-linejoin="round"/>`
}

const round = (value: number) => Math.round(value * 100) / 100

/** The image as plain pixels, upright; null for a damaged one. */
export async function readPixels(bytes: Uint8Array): Promise<Pixels | null> {
  const sharp = await loadSharp()
  try {
    const upright = sharp(bytes, decodeLimits).autoOrient()
    const { data, info } = await upright
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height }
  } catch {
    return null
  }
}

const CHUNK_PIXELS = 1_000_000
/** The mean difference of a channel outside the area from which an image counts as moved. */
const MOVED = 6

/**
 * Puts the original back where nothing is marked: there its bytes are copied, not computed. Works in the memory of
 * `original`, in steps between which other work of the process runs. Says whether the model had changed the rest too.
 */
export async function putBack(original: Pixels, changed: Buffer, area: Buffer): Promise<{ hasMoved: boolean }> {
  const { data } = original
  let difference = 0
  let untouched = 0
  for (let from = 0; from < area.length; from += CHUNK_PIXELS) {
    const end = Math.min(area.length, from + CHUNK_PIXELS)
    for (let pixel = from; pixel < end; pixel += 1) {
      const share = area[pixel] ?? 0
      const at = pixel * 4
      if (share === 0) {
        untouched += 3
        for (let byte = at; byte < at + 3; byte += 1) difference += Math.abs((data[byte] ?? 0) - (changed[byte] ?? 0))
        continue
      }
      for (let byte = at; byte < at + 4; byte += 1) {
        const before = data[byte] ?? 0
        data[byte] = before + Math.round((((changed[byte] ?? 0) - before) * share) / 255)
      }
    }
    await new Promise((next) => setImmediate(next))
  }
  return { hasMoved: untouched > 0 && difference / untouched > MOVED }
}

/** PNG keeps every pixel as it is. */
export async function encodePixels({ data, width, height }: Pixels): Promise<Buffer> {
  const sharp = await loadSharp()
  const image = sharp(data, { raw: { width, height, channels: 4 } })
  const { isOpaque } = await image.clone().stats()
  return (isOpaque ? image.removeAlpha() : image).png({ compressionLevel: 6 }).toBuffer()
}
