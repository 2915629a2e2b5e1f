import type { Segment } from '#contract/transcriptions.ts'

/** All the product asks of a model that listens: a recording, or a part of one, and what is said in it. */
export type Transcribe = (request: TranscribeRequest, signal: AbortSignal) => Promise<Transcript>

export interface TranscribeRequest {
  /** The provider's own name of the model. */
  model: string
  audio: Uint8Array
  /** Providers go by the ending of the name. */
  name: string
  mime: string
  /** Two letters, or null to let the model find out. */
  language: string | null
  /** How long it is, as far as that is known. */
  seconds: number | null
}

export interface Transcript {
  text: string
  /** Times from the beginning of what was sent; null when the model gives none. */
  segments: Segment[] | null
  /** The length as the provider measured it. */
  seconds: number | null
}
