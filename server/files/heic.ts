import type { Pixels } from './bmp.ts'
import { BROKEN, Unreadable } from './rejections.ts'

/** What we use of libheif, compiled to WebAssembly: it has no files, no network and only its own memory. */
interface Libheif {
  HeifDecoder: new () => { decode: (bytes: Uint8Array) => HeifImage[] }
}

interface HeifImage {
  get_width: () => number
  get_height: () => number
  display: (into: Pixels, done: (filled: Pixels | null) => void) => void
}

/** Decodes the main image of a HEIC file, upright. The size is checked before any pixel is decoded. */
export async function readHeic(bytes: Uint8Array, maxPixels: number): Promise<Pixels> {
  const { default: libheif } = (await import('libheif-js/wasm-bundle.js')) as unknown as { default: Libheif }
  const image = new libheif.HeifDecoder().decode(bytes)[0]
  if (!image) throw new Unreadable(BROKEN)
  const [width, height] = [image.get_width(), image.get_height()]
  if (width * height > maxPixels || width * height === 0) throw new Unreadable(BROKEN)
  const filled = await new Promise<Pixels | null>((done) =>
    image.display({ width, height, data: new Uint8ClampedArray(width * height * 4) }, done),
  )
  if (!filled) throw new Unreadable(BROKEN)
  return filled
}
