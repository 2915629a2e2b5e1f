import type { Sharp, SharpOptions } from 'sharp'
import { AppError } from '#server/lib/errors.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { decodePicture, needsDecoder } from './decode-picture.ts'
import { rejectFile } from './rejections.ts'
import type { FileType } from './types.ts'

const AT_ONCE = 2

/**
 * Loaded with the first image: it takes 20 MB. One thread per image, two images at a time: streaming answers need
 * the processor and the memory too.
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

export const MAX_PIXELS = 40_000_000
export const decodeLimits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
/** Pixels of the shorter side: enough for the grid on a screen of high density. */
const THUMB_SIDE = 480
const THUMB_QUALITY = 78

export type ImageMime = 'image/png' | 'image/jpeg' | 'image/webp'
const mimes = new Map<string, ImageMime>([
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/webp', 'image/webp'],
])

export interface Image {
  mime: ImageMime
  width: number
  height: number
  /** A small WebP without the metadata of the original. */
  thumbnail: Uint8Array
}

const waiting: (() => void)[] = []
let free = AT_ONCE

/** Limits how many images are decoded at a time; the others wait in order. */
export async function inTurn<Result>(decode: () => Promise<Result>): Promise<Result> {
  if (free > 0) free -= 1
  else await new Promise<void>((turn) => waiting.push(turn))
  try {
    return await decode()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
}

/** Null unless the bytes are a complete PNG, JPEG or WebP. */
export const readImage = (bytes: Uint8Array): Promise<Image | null> => inTurn(() => read(bytes))

async function read(bytes: Uint8Array): Promise<Image | null> {
  // The type is checked before sharp sees the bytes: sharp would also render SVG, which can contain scripts.
  const { fileTypeFromBuffer } = await import('file-type')
  const mime = mimes.get((await fileTypeFromBuffer(bytes))?.mime ?? '')
  if (!mime) return null
  const sharp = await loadSharp()
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    const { autoOrient } = await image.metadata()
    const thumbnail = await image
      .autoOrient()
      .resize({ width: THUMB_SIDE, height: THUMB_SIDE, fit: 'outside', withoutEnlargement: true })
      .webp({ quality: THUMB_QUALITY })
      .toBuffer()
    return { mime, width: autoOrient.width, height: autoOrient.height, thumbnail }
  } catch {
    return null
  }
}

/** Models scale down anything larger. */
const MAX_SIDE = 2048
const MAX_BYTES = 1.5 * 1024 * 1024
/** Each step makes a smaller file; the first that fits is kept, and the last always fits. */
const STEPS = [
  { side: MAX_SIDE, quality: 85 },
  { side: MAX_SIDE, quality: 72 },
  { side: 1600, quality: 70 },
  { side: 1200, quality: 65 },
]

interface ShrunkImage extends FileType {
  content: Uint8Array
}

/**
 * Re-encodes an image before it is stored: upright, no larger than models use, without metadata. Of an animation only
 * the first frame is kept, because models see no other. An image that does not decode completely is rejected.
 */
export function shrinkImage(file: LocalFile, mime: string, signal: AbortSignal): Promise<ShrunkImage> {
  return inTurn(async () => {
    if (signal.aborted) throw interrupted()
    const pixels = await decode(file, mime)
    const isPhoto = /jpeg|webp|hei[cf]|avif/.test(mime)
    if (!isPhoto) {
      // Screenshots and drawings stay lossless while they are small.
      const content = await pixels().png({ compressionLevel: 9 }).toBuffer()
      if (content.length <= MAX_BYTES) return { kind: 'image', mime: 'image/png', content }
    }
    return encode(pixels)
  })
}

const interrupted = () => new AppError('bad_request', 'Загрузка прервалась. Повторите её.')

/** Decodes once, directly to the size that is kept. */
async function decode({ path }: LocalFile, mime: string): Promise<() => Sharp> {
  const sharp = await loadSharp()
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true } as const
  try {
    const { data, info } = await (await opened(sharp, path, mime, options))
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    return () => sharp(data, { raw: { width, height, channels } })
  } catch {
    throw rejectFile('brokenImage')
  }
}

async function opened(
  sharp: Awaited<ReturnType<typeof loadSharp>>,
  path: string,
  mime: string,
  options: SharpOptions,
): Promise<Sharp> {
  if (!needsDecoder(mime)) return sharp(path, options)
  const { data, width, height } = await decodePicture(path, mime, MAX_PIXELS)
  return sharp(data, { raw: { width, height, channels: 4 } })
}

/** JPEG, because every provider accepts it; WebP for images with transparency. */
async function encode(pixels: () => Sharp): Promise<ShrunkImage> {
  const isWebp = !(await isOpaque(pixels()))
  let content = Buffer.alloc(0)
  for (const { side, quality } of STEPS) {
    const sized = pixels().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    content = await (isWebp ? sized.webp({ quality, effort: 2 }) : sized.jpeg({ quality })).toBuffer()
    if (content.length <= MAX_BYTES) break
  }
  return { kind: 'image', mime: isWebp ? 'image/webp' : 'image/jpeg', content }
}

const isOpaque = async (image: Sharp) => (await image.stats()).isOpaque
