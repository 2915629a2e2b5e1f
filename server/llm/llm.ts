import type { ImageSize } from '#contract/image-skills.ts'
import type { SpeakerMode, Thinking } from '#contract/models.ts'
import { LlmError, type LlmErrorKind } from './errors.ts'

/**
 * A language model: calls `onText` with each chunk until it finishes or the signal aborts. A callback and not an async
 * generator, because generators in several layers cost more than reading the socket.
 */
export type Llm = (request: LlmRequest, signal: AbortSignal, onText: OnText) => Promise<LlmEnd>
export type OnText = (text: string) => void

export interface LlmRequest {
  /** The provider's name of the model. */
  model: string
  messages: LlmMessage[]
  /** The circuit breaker counts failures by user. */
  userId?: string | undefined
  /** A program chose the parameters: what a model refuses of them is remembered for this user only. */
  isOfProgram?: boolean
  /** The demo model explains to an admin how to connect a real one. */
  isByAdmin?: boolean
  /** Called with true when a request is at the provider, with false when it was rejected or waits for a retry. */
  onInFlight?: (isInFlight: boolean) => void
  /** An upper limit for text and thought in tokens; symbols and tokens differ, so it is not exact. */
  maxTokens?: number
  /** Absent for models without that choice. */
  thinking?: Depth
  /** Receives what the model thinks before it answers, where the provider shows it. */
  onThought?: OnText
  /** Functions of the caller that the model may ask for. */
  tools?: LlmTool[]
  toolChoice?: 'auto' | 'none' | 'required' | { name: string }
  /** False lets the model ask for one function at a time. */
  parallelTools?: boolean
  onTool?: OnTool
  format?: LlmFormat
  /** The provider may ignore them, so the caller cuts the text too. */
  stop?: string[]
  sampling?: Sampling
  /** Requests with the same beginning have the same key, so that the provider finds what it has cached. */
  cacheKey?: string
}

/** How much a model may think: the steps of the page, and finer ones that programs name. */
export type Depth = Thinking | 'minimal' | 'low' | 'xhigh' | 'max'

export interface LlmTool {
  name: string
  description?: string
  /** A JSON schema. */
  parameters?: Record<string, unknown>
  strict?: boolean
}

export interface LlmToolCall {
  id: string
  name: string
  /** JSON. */
  arguments: string
}

/** A part of a call of a function: the first one has id and name, all together the arguments. */
export interface ToolDelta {
  index: number
  id?: string
  name?: string
  arguments: string
}
export type OnTool = (delta: ToolDelta) => void

/** JSON of any shape, or JSON by a schema. */
export type LlmFormat =
  | { type: 'json_object' }
  | { type: 'json_schema'; name: string; schema: Record<string, unknown>; description?: string; strict?: boolean }

/** How the model chooses its words. What a model does not take is left out. */
export interface Sampling {
  temperature?: number
  topP?: number
  presencePenalty?: number
  frequencyPenalty?: number
  seed?: number
}

export interface LlmMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  images?: LlmImage[]
  /** What an assistant thought before it answered, for providers that want it back. */
  thought?: string
  /** The functions that an assistant asked for. */
  toolCalls?: LlmToolCall[]
  /** The call whose result the content of a tool is. */
  toolCallId?: string
}

/** An image whose bytes are read only while the request is sent, again for each retry. */
export interface LlmImage {
  mime: string
  bytes: number
  read: () => AsyncIterable<Uint8Array>
}

export interface LlmEnd {
  reason: EndReason
  usage: LlmUsage | null
}

export type EndReason = 'stop' | 'length' | 'content_filter' | 'tool_calls'

/** The provider's token count; some send none. */
export interface LlmUsage {
  /** All input, cached or not. */
  inputTokens: number
  /** Text and thought together, however the provider splits them. */
  outputTokens: number
  /** Included in the output. */
  thoughtTokens?: number
  /** Of the thought, the tokens whose text the provider did not send. */
  hiddenThoughtTokens?: number
  /** Of the input, read from the provider's cache. */
  cachedTokens?: number
  /** Of the input, written to the provider's cache, where writing has a price of its own. */
  cacheWriteTokens?: number
}

/** For short work of the server, which gains nothing from thinking. */
export const withoutThought = ({ thinks }: { thinks: boolean }) => (thinks ? { thinking: 'none' as const } : {})

/** Collects a short answer; stops the model when the text is long enough. */
export async function collectText(llm: Llm, request: LlmRequest, signal: AbortSignal, enough: number): Promise<string> {
  const stop = new AbortController()
  let text = ''
  try {
    await llm(request, AbortSignal.any([signal, stop.signal]), (chunk) => {
      text += chunk
      if (text.length >= enough) stop.abort()
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
  return text
}

export type Draw = (request: DrawRequest, signal: AbortSignal) => Promise<DrawnImage>

export interface DrawRequest {
  /** The provider's name of the model. */
  model: string
  prompt: string
  size: ImageSize
  /** The calls of images, or a chat that answers with images; only for providers with both. */
  form?: 'images' | 'chat'
  transparent?: boolean
  /** Set when images are changed and not drawn. */
  change?: DrawChange
  /** Receives unfinished images, where the model sends them. */
  onPartial?: (bytes: Uint8Array) => void
  /** Varies the demo's images of the same prompt. */
  seed: string
  userId?: string | undefined
}

export interface DrawChange {
  /** The image to change, then the examples. */
  images: GivenImage[]
  /** A PNG in the size of the first image, transparent where it may change; null for everywhere. */
  area: Uint8Array | null
}

export interface GivenImage {
  mime: string
  bytes: Uint8Array
}

/** Unchecked bytes of the provider; the caller verifies that they are an image. */
export interface DrawnImage {
  bytes: Uint8Array
}

export const MAX_DRAWN_BYTES = 25 * 1024 * 1024

const sentences: Partial<Record<LlmErrorKind, string>> = {
  timeout: 'Модель рисовала слишком долго. Повторите позже или выберите другую.',
  filter: 'Модель отказалась это рисовать по своим правилам. Измените описание.',
  too_long: 'Описание слишком длинное для этой модели. Сократите его.',
  refused: 'Модель не приняла запрос. Попробуйте другой размер или другую модель.',
  down: 'Модель не нарисовала картинку. Повторите позже или выберите другую.',
}

export function drawError(kind: LlmErrorKind, options: ConstructorParameters<typeof LlmError>[1]): LlmError {
  return new LlmError(kind, { sentence: sentences[kind], ...options })
}

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
  seconds: number | null
  /** Null or absent when nobody asks who spoke. */
  speakers?: SpeakerRequest | null
}

export interface SpeakerRequest {
  mode: SpeakerMode
  /** The most people to tell apart; null leaves it to the model. */
  max: number | null
  /** Voices of earlier parts: the model uses their names for the same people. */
  known: readonly KnownVoice[]
}

export interface KnownVoice {
  name: string
  /** A WAV file of 2–10 seconds in which only this person speaks. */
  audio: Uint8Array
}

export interface TranscriptSegment {
  start: number
  end: number
  text: string
  /** As the provider calls the person: the same label in another part may be somebody else. */
  speaker?: string | null
}

export interface Transcript {
  text: string
  /** Times are relative to the start of the audio; null when the model returns none. */
  segments: TranscriptSegment[] | null
  /** The length measured by the provider. */
  seconds: number | null
}

/** A service that takes a whole recording, works on it by itself, and is asked for the result by an id. */
export interface Recognizer {
  maxSeconds: number
  maxBytes: number
  /** ISO 639-1 codes. */
  languages: readonly string[]
  /** Types of files that it takes as they are. */
  mimes: readonly string[]
  /** Sends the recording and returns the id of the operation, which is then paid for. */
  start: (request: RecognizeRequest, signal: AbortSignal) => Promise<string>
  /** Waits for an operation that may have been started by an earlier process. */
  result: (operation: RunningOperation, signal: AbortSignal) => Promise<Transcript>
}

export interface RecognizeRequest extends Omit<TranscribeRequest, 'audio' | 'name' | 'speakers'> {
  sound: WholeSound
  /** Null when nobody asks who spoke. */
  speakers: Pick<SpeakerRequest, 'max'> | null
}

/** Read only while it is sent, again for each retry. */
export interface WholeSound {
  bytes: number
  read: () => AsyncIterable<Uint8Array>
}

export interface RunningOperation {
  id: string
  /** The length of the recording, by which the patience is measured. */
  seconds: number | null
}
