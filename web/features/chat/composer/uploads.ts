import { createKeyedStore } from '#web/lib/create-keyed-store.ts'

/** A file being uploaded. An uploaded file is part of the draft and survives a reload with it. */
export interface Upload {
  key: number
  file: File
  isImage: boolean
  /** From 0 to 1. */
  share: number
  error: string | null
  cancel: () => void
}

export const uploads = createKeyedStore<readonly Upload[]>()
const none: readonly Upload[] = []

export function useUploads(draft: string): readonly Upload[] {
  return uploads.use(draft) ?? none
}
