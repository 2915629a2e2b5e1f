import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'

/** One thread per picture, two pictures at a time: streaming answers need the processor and the memory too. */
sharp.concurrency(1)
sharp.cache(false)
const AT_ONCE = 2

export const MAX_PIXELS = 40_000_000
/** Pixels of the shorter side: enough for the grid on a screen of high density. */
const THUMB_SIDE = 480
const THUMB_QUALITY = 78

export type PictureMime = 'image/png' | 'image/jpeg' | 'image/webp'
const mimes = new Map<string, PictureMime>([
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/webp', 'image/webp'],
])

export interface Picture {
  mime: PictureMime
  width: number
  height: number
  /** A small WebP without the metadata of the original. */
  thumbnail: Uint8Array
}

const waiting: (() => void)[] = []
let free = AT_ONCE

/** Limits how many pictures are decoded at a time; the others wait in order. */
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

/** Reads a picture that a provider made; null unless the bytes are a complete PNG, JPEG or WebP. */
export const readPicture = (bytes: Uint8Array): Promise<Picture | null> => inTurn(() => read(bytes))

async function read(bytes: Uint8Array): Promise<Picture | null> {
  // The type is checked before sharp sees the bytes: sharp would also render SVG, which can contain scripts.
  const mime = mimes.get((await fileTypeFromBuffer(bytes))?.mime ?? '')
  if (!mime) return null
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    const { autoOrient } = await picture.metadata()
    const thumbnail = await picture
      .autoOrient()
      .resize({ width: THUMB_SIDE, height: THUMB_SIDE, fit: 'outside', withoutEnlargement: true })
      .webp({ quality: THUMB_QUALITY })
      .toBuffer()
    return { mime, width: autoOrient.width, height: autoOrient.height, thumbnail }
  } catch {
    return null
  }
}
