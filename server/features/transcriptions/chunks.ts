import type { Sound } from '#server/audio/sound.ts'
import { transcriptions } from '#server/db/schema.ts'
import { type ChunkedFile, chunkedFiles } from '#server/files/chunked-files.ts'
import type { Storage } from '#server/storage/storage.ts'
import { byChunks } from '../storage/kinds.ts'

export const RECORDINGS = 'recordings'

export const recordingChunks = chunkedFiles(RECORDINGS)
export const { keyOf: chunkKeyOf, bytesBetween, downloadTo, deleteAll: deleteChunks } = recordingChunks

export function soundIn(storage: Storage, file: ChunkedFile): Sound {
  return {
    bytes: file.bytes,
    read: async (offset, length) => {
      const to = Math.min(file.bytes, offset + length)
      const chunks: Uint8Array[] = []
      for await (const chunk of bytesBetween(storage, file, Math.min(offset, to), to)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
  }
}

export const recordings = byChunks('записи', recordingChunks, transcriptions)
