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

/** What a saved picture is called: the first words of its description, as far as file systems bear them. */
export function imageFileName({ prompt, id }: { prompt: string; id: string }): string {
  const words = prompt
    .replace(/[^\p{L}\p{N}\s-]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 6)
  return words.join('-').slice(0, 80) || `image-${id}`
}
