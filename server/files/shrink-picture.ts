import sharp, { type Sharp } from 'sharp'
import { AppError } from '#server/lib/errors.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { inTurn, MAX_PIXELS } from './picture.ts'
import { refuse } from './rejections.ts'
import type { FileType } from './types.ts'

/** More than this no model looks at. */
const MAX_SIDE = 2048
const MAX_BYTES = 1.5 * 1024 * 1024
/** What is too large at one step is tried at the next; the last one always fits. */
const STEPS = [
  { side: MAX_SIDE, quality: 85 },
  { side: MAX_SIDE, quality: 72 },
  { side: 1600, quality: 70 },
  { side: 1200, quality: 65 },
]

interface ShrunkPicture extends FileType {
  content: Uint8Array
}

/**
 * A picture as it is kept: decoded, upright, as large as models look at it, and with nothing in it but its pixels. Of
 * an animation the first frame stays, the one that models see. What cannot be decoded to its end is refused.
 */
export function shrinkPicture(file: LocalFile, mime: string, signal: AbortSignal): Promise<ShrunkPicture> {
  return inTurn(async () => {
    if (signal.aborted) throw interrupted()
    const pixels = await decode(file)
    const isPhoto = mime === 'image/jpeg' || mime === 'image/webp'
    if (!isPhoto) {
      // Screenshots and drawings: without loss, as long as that is small.
      const content = await pixels().png({ compressionLevel: 9 }).toBuffer()
      if (content.length <= MAX_BYTES) return { kind: 'image', mime: 'image/png', content }
    }
    return encode(pixels)
  })
}

const interrupted = () => new AppError('bad_request', 'Загрузка прервалась. Повторите её.')

/** Decodes once, into no more pixels than are kept. */
async function decode({ path }: LocalFile): Promise<() => Sharp> {
  try {
    const { data, info } = await sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    return () => sharp(data, { raw: { width, height, channels } })
  } catch {
    throw refuse('brokenPicture')
  }
}

/** JPEG is what every provider takes; what is transparent stays so in a WebP. */
async function encode(pixels: () => Sharp): Promise<ShrunkPicture> {
  const isWebp = !(await isOpaque(pixels()))
  let content = Buffer.alloc(0)
  for (const { side, quality } of STEPS) {
    const sized = pixels().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    content = await (isWebp ? sized.webp({ quality, effort: 2 }) : sized.jpeg({ quality })).toBuffer()
    if (content.length <= MAX_BYTES) break
  }
  return { kind: 'image', mime: isWebp ? 'image/webp' : 'image/jpeg', content }
}

const isOpaque = async (picture: Sharp) => (await picture.stats()).isOpaque
