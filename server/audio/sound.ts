import type { ReadAt } from '#server/files/image-size.ts'

/** Random access to the bytes of a recording, in memory or in storage; it is never loaded whole. */
export interface Sound {
  bytes: number
  read: ReadAt
}

/** Packets are counted only so far: larger files are decoded by ffmpeg before they are transcribed. */
export const WALKED_BYTES = 64 * 1024 * 1024

const WINDOW = 256 * 1024

/** Reads ahead in windows, so that many small reads become a few large ones. */
export function buffered({ bytes, read }: Sound): Sound {
  let start = 0
  let window: Buffer = Buffer.alloc(0)
  return {
    bytes,
    read: async (offset, length) => {
      const at = Math.min(Math.max(offset, 0), bytes)
      const wanted = Math.min(length, bytes - at)
      if (at < start || at + wanted > start + window.length) {
        start = at
        window = await read(at, Math.min(Math.max(wanted, WINDOW), bytes - at))
      }
      return window.subarray(at - start, at - start + wanted)
    },
  }
}

export function soundOf(bytes: Uint8Array): Sound {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { bytes: whole.length, read: async (offset, length) => whole.subarray(offset, offset + length) }
}
