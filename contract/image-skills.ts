import * as z from 'zod/mini'

/** What nearly every model draws. */
export const usualSizes = ['1024x1024', '1536x1024', '1024x1536', 'auto'] as const
export const otherSizes = ['1536x1152', '1152x1536', '1536x864', '864x1536'] as const
export const imageSizes = [...usualSizes, ...otherSizes] as const
export const ImageSize = z.enum(imageSizes)
export type ImageSize = z.infer<typeof ImageSize>

/** The expected size of an image that is not ready. */
export function sizeInPixels(size: ImageSize): { width: number; height: number } {
  const [width = 1024, height = 1024] = size === 'auto' ? [] : size.split('x').map(Number)
  return { width, height }
}

/** Images that a change may take as examples, besides the changed one. */
export const MAX_EXAMPLES = 4

/** What an image model can do. People see it before they try. */
export const ImageSkills = z.object({
  /** It can change an image. */
  changes: z.boolean(),
  /** It is told the area of a change. The rest of the image is put back in any case. */
  area: z.boolean(),
  examples: z.int().check(z.minimum(0), z.maximum(MAX_EXAMPLES)),
  sizes: z.array(ImageSize).check(z.minLength(1), z.maxLength(imageSizes.length)),
  /** It can draw on a transparent background. */
  transparent: z.boolean(),
  /** It sends unfinished images while it draws. */
  partial: z.boolean(),
  /** The calls of OpenAI's images, or a chat that answers with images. */
  form: z.enum(['images', 'chat']),
  /** Symbols per change; null when it costs as much as drawing. */
  changePrice: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000_000))),
})
export type ImageSkills = z.infer<typeof ImageSkills>
