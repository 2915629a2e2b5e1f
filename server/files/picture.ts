import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'

/** One thread a picture, two pictures at a time: answers share the machine and its memory with them. */
sharp.concurrency(1)
sharp.cache(false)
const AT_ONCE = 2

export const MAX_PIXELS = 40_000_000
/** The shorter side of a thumbnail: sharp in a grid on any screen. */
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
  /** A small WebP without anything that the original says about itself. */
  thumbnail: Uint8Array
}

const waiting: (() => void)[] = []
let free = AT_ONCE

/** Decodes few pictures at a time; the others wait in order. */
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

/** What bytes from outside show, read by their content; null unless they are a whole PNG, JPEG or WebP. */
export const readPicture = (bytes: Uint8Array): Promise<Picture | null> => inTurn(() => read(bytes))

async function read(bytes: Uint8Array): Promise<Picture | null> {
  // Told by the first bytes before anything draws it: the library would also take drawings that are programs, like SVG.
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
