import { decodeLimits, inTurn, loadSharp } from '#server/files/image.ts'
import type { Publish } from '#server/http/context.ts'

const SIDE = 384

/** Sends unfinished images to the pages of their owner, small enough for an event. They are never stored. */
export function partialPublisher({ publish }: { publish: Publish }, { id, userId }: { id: string; userId: string }) {
  return (bytes: Uint8Array): void => {
    const show = async () => {
      const sharp = await loadSharp()
      const small = await sharp(bytes, decodeLimits)
        .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 60 })
        .toBuffer()
      const url = `data:image/webp;base64,${small.toString('base64')}`
      publish(userId, { topic: 'images', type: 'partial', data: { id, url } })
    }
    // An unfinished image that cannot be read is not worth an error: the finished one follows.
    inTurn(show).catch(() => undefined)
  }
}
