import { MAX_IMAGE_LENGTH } from '#contract/users.ts'

export const IMAGE_SIDE = 256
const QUALITIES = [0.9, 0.8, 0.7, 0.55, 0.4]

type Encode = (type: string, quality: number) => string

export function centredSquare(width: number, height: number) {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

/** The best quality within the limit. Browsers that cannot write WebP return PNG; JPEG is tried then. */
export function encodeWithin(encode: Encode, limit: number): string | null {
  for (const type of ['image/webp', 'image/jpeg']) {
    for (const quality of QUALITIES) {
      const url = encode(type, quality)
      if (!url.startsWith(`data:${type};`)) break
      if (url.length <= limit) return url
    }
  }
  return null
}

export async function readSquareImage(file: File): Promise<string> {
  const bitmap = await decodeImage(file)
  const canvas = document.createElement('canvas')
  canvas.width = IMAGE_SIDE
  canvas.height = IMAGE_SIDE
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('Браузер не смог подготовить картинку.')
  // JPEG has no transparency: transparent pixels would turn black.
  paper.fillStyle = '#ffffff'
  paper.fillRect(0, 0, IMAGE_SIDE, IMAGE_SIDE)
  paper.imageSmoothingQuality = 'high'
  const { x, y, side } = centredSquare(bitmap.width, bitmap.height)
  paper.drawImage(bitmap, x, y, side, side, 0, 0, IMAGE_SIDE, IMAGE_SIDE)
  bitmap.close()
  const url = encodeWithin((type, quality) => canvas.toDataURL(type, quality), MAX_IMAGE_LENGTH)
  if (!url) throw new Error('Картинка не сжимается до нужного размера. Выберите другую.')
  return url
}

async function decodeImage(file: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file)
  } catch (cause) {
    throw new Error('Не получилось открыть файл. Выберите картинку PNG, JPEG или WebP.', { cause })
  }
}
