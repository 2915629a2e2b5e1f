import * as z from 'zod/mini'

export const imageSizes = ['1024x1024', '1536x1024', '1024x1536', 'auto'] as const
export const ImageSize = z.enum(imageSizes)
export type ImageSize = z.infer<typeof ImageSize>

/** The expected size of an image that is not ready. */
export function sizeInPixels(size: ImageSize): { width: number; height: number } {
  const [width = 1024, height = 1024] = size === 'auto' ? [] : size.split('x').map(Number)
  return { width, height }
}
