import type { Model } from './models.ts'

/** Separate from images.ts, because a chat needs this and not the schemas of images. */

export const MAX_IMAGE_PROMPT = 4000

export const IMAGE_FILE = '/api/images/:id/file'
export const IMAGE_THUMBNAIL = '/api/images/:id/thumbnail'
export const IMAGE_WHOLE = '/api/images/:id/whole'

type ImageModel = Pick<Model, 'kind'> & Partial<Pick<Model, 'imageSkills'>>

/** A server of the previous release names no skills. */
export const changesImages = ({ kind, imageSkills }: ImageModel) => kind === 'image' && imageSkills?.changes === true

export const changePrice = <Price>({ imagePrice, imageSkills }: Pick<Model, 'imageSkills'> & { imagePrice: Price }) =>
  imageSkills?.changePrice ?? imagePrice

const ownFile = /^\/api\/images\/([\w-]{8,64})\/file$/

export function imageIdIn(url: string): string | null {
  return ownFile.exec(url)?.[1] ?? null
}

/** The name of a downloaded image: the beginning of its description without characters that file systems reject. */
export function imageFileName({ prompt, id }: { prompt: string; id: string }): string {
  const words = prompt
    .replace(/[^\p{L}\p{N}\s-]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 6)
  return words.join('-').slice(0, 80) || `image-${id}`
}
