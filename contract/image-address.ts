/** What the page of a chat must know of pictures; apart from their shapes, which would weigh on it. */

/** How long the description of a picture may be. */
export const MAX_IMAGE_PROMPT = 4000

/** The bytes themselves, for their owner. */
export const IMAGE_FILE = '/api/images/:id/file'
export const IMAGE_THUMBNAIL = '/api/images/:id/thumbnail'

const ownFile = /^\/api\/images\/([\w-]{8,64})\/file$/

/** The id of the picture that an address of ours leads to; null for every other address. */
export function imageIdIn(url: string): string | null {
  return ownFile.exec(url)?.[1] ?? null
}
