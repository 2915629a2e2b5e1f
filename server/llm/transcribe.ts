import type { Segment } from '#contract/transcriptions.ts'

/** A transcription model: turns a recording, or a part of one, into text. */
export type Transcribe = (request: TranscribeRequest, signal: AbortSignal) => Promise<Transcript>

export interface TranscribeRequest {
  /** The provider's name of the model. */
  model: string
  audio: Uint8Array
  /** Providers detect the format by the file extension. */
  name: string
  mime: string
  /** An ISO 639-1 code, or null for automatic detection. */
  language: string | null
  /** The length, if known. */
  seconds: number | null
}

export interface Transcript {
  text: string
  /** Times are relative to the start of the audio; null when the model returns none. */
  segments: Segment[] | null
  /** The length measured by the provider. */
  seconds: number | null
}
