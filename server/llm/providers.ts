import type { Provider } from '#contract/models-admin.ts'
import { countProviderError } from '#server/http/metrics.ts'
import { anthropicLlm } from './anthropic.ts'
import { createBreakers, type OpenCircuit } from './breaker.ts'
import { chatDraw } from './chat-images.ts'
import { type Connection, connect } from './connection.ts'
import { demoLlm, demoTranscribe } from './demo.ts'
import { demoDraw } from './demo-image.ts'
import { type Embed, type EmbedWritten, openAiEmbed } from './embeddings.ts'
import { LlmError } from './errors.ts'
import { type ModelTimeouts, usualTimeouts } from './event-llm.ts'
import { geminiLlm } from './gemini.ts'
import { geminiDraw } from './gemini-images.ts'
import type { Draw, Llm, LlmRequest, OnText, Recognizer, Transcribe } from './llm.ts'
import { type Offered, readOffer } from './offer.ts'
import { openAiLlm } from './openai.ts'
import { openAiDraw } from './openai-images.ts'
import { openAiTranscribe } from './openai-transcribe.ts'
import { type Endpoint, type ProviderKeys, type ProviderKind, profiles } from './profile.ts'
import { type Patience, usualPatience } from './recognition.ts'
import { withRetry } from './request.ts'
import { saluteSpeech } from './salute.ts'
import { speechKit } from './speechkit.ts'

export interface Providers {
  llm: (name: string) => Llm
  embed: (name: string, model: string) => Embed | null
  embedWritten: (name: string, model: string) => EmbedWritten | null
  draw: (name: string) => Draw
  transcribe: (name: string) => Transcribe
  /** Null for providers that take recordings in parts. */
  recognizer: (name: string) => Recognizer | null
  list: () => Provider[]
  /** The country that the data of a provider's models goes to; null when unknown. */
  countryOf: (name: string) => string | null
  home: string
  offer: (name: string) => Promise<Offered[]>
  /** Models whose calls are rejected for now after failures. */
  state: () => OpenCircuit[]
}

const RETRY_MS = 500
/** A failure after this time is not retried: the user has already waited long. */
const RETRY_WITHIN_MS = 10_000
const HOME = 'RU'
const DEMO: Omit<Provider, 'country'> = {
  name: 'demo',
  baseUrl: null,
  kind: 'demo',
  modelKinds: ['text', 'image', 'transcription'],
}
const DEMO_MODELS = ['demo', 'demo-image', 'demo-transcription']

export interface ProviderOptions {
  timeouts?: ModelTimeouts
  patience?: Patience
  /** The country of this installation; the demo model answers there. */
  home?: string
}

/** Counts every failed attempt in the metrics, also those that a retry repairs. */
function counted<Args extends unknown[], Result>(provider: string, call: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    try {
      return await call(...args)
    } catch (error) {
      if (error instanceof LlmError) {
        error.failure.service ??= provider
        countProviderError({ provider, error: error.kind })
      }
      throw error
    }
  }
}

export function createProviders(
  configured: ProviderKeys[],
  { timeouts = usualTimeouts, patience = usualPatience, home = HOME }: ProviderOptions = {},
): Providers {
  const breakers = createBreakers()
  const known = new Map<string, Llm>([['demo', demoLlm]])
  const imageModels = new Map<string, Draw>([['demo', demoDraw]])
  const transcribers = new Map<string, Transcribe>([['demo', demoTranscribe]])
  const wholeTakers = new Map<string, Recognizer>()
  const connections = new Map<string, { kind: ProviderKind; connection: Connection }>()
  for (const provider of configured) {
    const { name, kind = 'openai' } = provider
    const connection = connect(provider)
    const { speaks } = connection.profile
    connections.set(name, { kind, connection })
    const adapter = adapters[kind]
    if (adapter) known.set(name, guarded(name, retryText(counted(name, adapter(connection, timeouts)))))
    if (speaks.includes('images'))
      imageModels.set(name, breakers.guard(name, retryDraw(counted(name, drawAdapter(kind, connection)))))
    const recognizer = recognizers[kind]?.(connection, patience)
    if (recognizer) {
      const { start, result } = recognizer
      wholeTakers.set(name, { ...recognizer, start: counted(name, start), result: counted(name, result) })
    } else if (speaks.includes('transcriptions')) transcribers.set(name, counted(name, openAiTranscribe(connection)))
  }

  const list = [{ ...DEMO, country: home }, ...configured.map(listed)]

  /** Closes the circuit at the first text or thought of a trial call instead of at its end. */
  function guarded(provider: string, llm: Llm): Llm {
    return breakers.guard(provider, (request: LlmRequest, signal: AbortSignal, onText: OnText) => {
      let hasText = false
      const noted = <Chunk>(deliver: ((chunk: Chunk) => void) | undefined) => {
        return (chunk: Chunk) => {
          if (!hasText) breakers.noteText(provider, request.model)
          hasText = true
          deliver?.(chunk)
        }
      }
      return llm(withListeners(request, noted), signal, noted(onText))
    })
  }

  /** A configured provider that lacks such models gets another error than one that is not configured. */
  function requireOffered<T>(found: T | undefined, name: string): T {
    if (found === undefined && connections.has(name))
      throw new LlmError('refused', { reason: 'no-such-models', failure: { service: name } })
    return required(found, name)
  }

  function embedder(name: string, model: string) {
    const connection = connections.get(name)?.connection
    return connection?.profile.speaks.includes('embeddings') ? openAiEmbed(connection, model) : null
  }

  return {
    state: breakers.state,
    llm: (name) => requireOffered(known.get(name), name),
    draw: (name) => requireOffered(imageModels.get(name), name),
    transcribe: (name) => requireOffered(transcribers.get(name), name),
    recognizer: (name) => wholeTakers.get(name) ?? null,
    embed: (name, model) => {
      const known = embedder(name, model)
      return known && counted(name, known.embed)
    },
    embedWritten: (name, model) => {
      const known = embedder(name, model)
      return known && counted(name, known.embedWritten)
    },
    list: () => list,
    countryOf: (name) => list.find((provider) => provider.name === name)?.country ?? null,
    home,
    offer: async (name) => {
      if (name === DEMO.name) return DEMO_MODELS.map((id) => ({ id, shutdownDate: null }))
      const { kind, connection } = required(connections.get(name), name)
      return readOffer(connection, kind)
    },
  }
}

const adapters: Partial<Record<ProviderKind, (connection: Connection, timeouts: ModelTimeouts) => Llm>> = {
  openai: openAiLlm,
  yandex: openAiLlm,
  gigachat: openAiLlm,
  anthropic: anthropicLlm,
  gemini: geminiLlm,
}

/** Services that take whole recordings. */
const recognizers: Partial<Record<ProviderKind, (connection: Connection, patience: Patience) => Recognizer>> = {
  speechkit: speechKit,
  salute: saluteSpeech,
}

function drawAdapter(kind: ProviderKind, connection: Connection): Draw {
  if (kind === 'gemini') return geminiDraw(connection)
  const [byImages, byChat] = [openAiDraw(connection), chatDraw(connection)]
  return (request, signal) => (request.form === 'chat' ? byChat : byImages)(request, signal)
}

const modelKinds: Record<Endpoint, Provider['modelKinds']> = {
  // Pages of scans are read through the chat of models that see.
  chat: ['text', 'scan'],
  images: ['image'],
  transcriptions: ['transcription'],
  embeddings: ['embedding'],
}

function listed({ name, baseUrl, kind = 'openai', country = null }: ProviderKeys): Provider {
  return { name, baseUrl, kind, country, modelKinds: profiles[kind].speaks.flatMap((endpoint) => modelKinds[endpoint]) }
}

function required<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new LlmError('key', { reason: 'no-provider', failure: { service: name } })
  return found
}

type Wrap = <Chunk>(deliver: ((chunk: Chunk) => void) | undefined) => (chunk: Chunk) => void

/** A request whose thoughts and calls of functions are noted like its text. */
const withListeners = (request: LlmRequest, noted: Wrap): LlmRequest => ({
  ...request,
  onThought: noted(request.onThought),
  ...(request.onTool && { onTool: noted(request.onTool) }),
})

/**
 * Retries once when the provider fails before its first text or thought; later a retry would repeat them. A timeout is
 * not retried: after a long wait the fallback model, or an error, is better.
 */
export function retryText(llm: Llm, waitMs = RETRY_MS): Llm {
  return (request, signal, onText) => {
    let hasText = false
    const ask = async () => {
      request.onInFlight?.(true)
      try {
        const noted = <Chunk>(deliver: ((chunk: Chunk) => void) | undefined) => {
          return (chunk: Chunk) => {
            hasText = true
            deliver?.(chunk)
          }
        }
        return await llm(withListeners(request, noted), signal, noted(onText))
      } catch (error) {
        if (!signal.aborted) request.onInFlight?.(false)
        throw error
      }
    }
    return withRetry(ask, signal, {
      tries: 2,
      waitMs: () => waitMs,
      mayRetry: ({ kind }, elapsedMs) =>
        !hasText && elapsedMs < RETRY_WITHIN_MS && (kind === 'busy' || kind === 'down'),
    })
  }
}

/** An image costs money and time, so it is retried only when the provider sends Retry-After. */
function retryDraw(draw: Draw): Draw {
  return (request, signal) =>
    withRetry(() => draw(request, signal), signal, {
      tries: 2,
      waitMs: () => 0,
      mayRetry: ({ kind, retryAfterMs }) => retryAfterMs !== null && (kind === 'busy' || kind === 'down'),
    })
}
