import * as z from 'zod/mini'
import { countProviderError } from '#server/http/metrics.ts'
import { traced } from '#server/lib/trace.ts'
import { createBreakers, type OpenCircuit } from './breaker.ts'
import { demoLlm, demoTranscribe } from './demo.ts'
import { demoDraw } from './demo-picture.ts'
import { type Embed, openAiEmbed } from './embeddings.ts'
import { kindOf, LlmError } from './errors.ts'
import type { Draw, Llm, LlmRequest, OnText, Transcribe } from './llm.ts'
import { openAiLlm, type ProviderAddress } from './openai.ts'
import { openAiDraw } from './openai-images.ts'
import { openAiTranscribe } from './openai-transcribe.ts'
import { withRetry } from './post-json.ts'
import { type ModelTimeouts, usualTimeouts } from './silence.ts'

export interface ProviderKeys {
  name: string
  baseUrl: string
  apiKey: string | null
  /** A code of ISO 3166: where the data of requests goes; absent or null when unknown. */
  country?: string | null
}

export interface Providers {
  /** The text models of a provider. */
  llm: (name: string) => Llm
  /** An embedding model; null for an unknown provider and for the demo. */
  embed: (name: string, model: string) => Embed | null
  draw: (name: string) => Draw
  transcribe: (name: string) => Transcribe
  list: () => { name: string; baseUrl: string | null; country: string | null }[]
  /** The country that the data of a provider's models goes to; null when unknown. */
  countryOf: (name: string) => string | null
  /** The country of this installation. */
  home: string
  /** The provider's own list of models. */
  offer: (name: string) => Promise<Offered[]>
  /** Models whose calls are rejected for now after failures. */
  state: () => OpenCircuit[]
}

const RETRY_MS = 500
/** A failure after this time is not retried: the user has already waited long. */
const RETRY_WITHIN_MS = 10_000
const DEMO = { name: 'demo', baseUrl: null }
const HOME = 'RU'
const DEMO_MODELS = ['demo', 'demo-image', 'demo-transcription']

export interface ProviderOptions {
  timeouts?: ModelTimeouts
  /** The country of this installation; the demo model answers there. */
  home?: string
}

type Operation = 'chat' | 'image' | 'transcription'

/** Counts every failed attempt in the metrics, also those that a retry repairs; each attempt is a span. */
function counted<Asked extends { model: string }, Rest extends unknown[], Result>(
  provider: string,
  operation: Operation,
  call: (asked: Asked, ...rest: Rest) => Promise<Result>,
) {
  return (asked: Asked, ...rest: Rest): Promise<Result> =>
    traced(`${operation} ${provider}`, { kind: 'client' }, async (span) => {
      span?.set({
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': provider,
        'gen_ai.request.model': asked.model,
      })
      try {
        return await call(asked, ...rest)
      } catch (error) {
        if (error instanceof LlmError) {
          countProviderError({ provider, error: error.kind })
          span?.set({ 'error.type': error.kind })
        }
        throw error
      }
    })
}

export function createProviders(
  configured: ProviderKeys[],
  { timeouts = usualTimeouts, home = HOME }: ProviderOptions = {},
): Providers {
  const breakers = createBreakers()
  const known = new Map<string, Llm>([['demo', demoLlm]])
  const drawing = new Map<string, Draw>([['demo', demoDraw]])
  const listening = new Map<string, Transcribe>([['demo', demoTranscribe]])
  for (const provider of configured) {
    const { name } = provider
    known.set(name, guarded(name, retryText(counted(name, 'chat', openAiLlm(provider, timeouts)))))
    drawing.set(name, breakers.guard(name, retryDraw(counted(name, 'image', openAiDraw(provider)))))
    listening.set(name, counted(name, 'transcription', openAiTranscribe(provider)))
  }

  const list = [
    { ...DEMO, country: home },
    ...configured.map(({ name, baseUrl, country = null }) => ({ name, baseUrl, country })),
  ]

  /** Closes the circuit at the first text or thought of a trial call instead of at its end. */
  function guarded(provider: string, llm: Llm): Llm {
    return breakers.guard(provider, (request: LlmRequest, signal: AbortSignal, onText: OnText) => {
      let hasText = false
      const noted =
        (deliver: OnText | undefined): OnText =>
        (chunk) => {
          if (!hasText) breakers.noteText(provider, request.model)
          hasText = true
          deliver?.(chunk)
        }
      return llm({ ...request, onThought: noted(request.onThought) }, signal, noted(onText))
    })
  }

  return {
    state: breakers.state,
    llm: (name) => required(known.get(name), name),
    draw: (name) => required(drawing.get(name), name),
    transcribe: (name) => required(listening.get(name), name),
    embed: (name, model) => {
      const provider = configured.find((candidate) => candidate.name === name)
      return provider ? openAiEmbed(provider, model) : null
    },
    list: () => list,
    countryOf: (name) => list.find((provider) => provider.name === name)?.country ?? null,
    home,
    offer: async (name) => {
      if (name === DEMO.name) return DEMO_MODELS.map((id) => ({ id, shutdownDate: null }))
      return readOffer(
        required(
          configured.find((candidate) => candidate.name === name),
          name,
        ),
      )
    },
  }
}

function required<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new LlmError('key', `no provider ${name}`)
  return found
}

/**
 * Retries once when the provider fails before its first text or thought; later a retry would repeat it. A timeout is not retried:
 * after a long wait the fallback model, or an error, is better.
 */
export function retryText(llm: Llm, waitMs = RETRY_MS): Llm {
  return (request, signal, onText) => {
    let hasText = false
    const ask = async () => {
      request.onAsked?.(true)
      try {
        const noted =
          (deliver: OnText | undefined): OnText =>
          (chunk) => {
            hasText = true
            deliver?.(chunk)
          }
        return await llm({ ...request, onThought: noted(request.onThought) }, signal, noted(onText))
      } catch (error) {
        if (!signal.aborted) request.onAsked?.(false)
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

/** A picture costs money and time, so it is retried only when the provider sends Retry-After. */
function retryDraw(draw: Draw): Draw {
  return (request, signal) =>
    withRetry(() => draw(request, signal), signal, {
      tries: 2,
      waitMs: () => 0,
      mayRetry: ({ kind, retryAfterMs }) => retryAfterMs !== null && (kind === 'busy' || kind === 'down'),
    })
}

interface Offered {
  id: string
  /** The provider's date of switching it off, if announced. */
  shutdownDate: string | null
}

const OFFER_TIMEOUT_MS = 15_000
const Offer = z.object({
  data: z.array(z.object({ id: z.string(), shutdown_date: z.optional(z.nullable(z.string())) })),
})

/** Fetches the provider's list of models. */
async function readOffer({ baseUrl, apiKey }: ProviderAddress): Promise<Offered[]> {
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
    headers: { accept: 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
    signal: AbortSignal.timeout(OFFER_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new LlmError('down', 'the list of models failed', cause)
  })
  const text = await response.text()
  if (!response.ok) throw new LlmError(kindOf(response.status, text), `${response.status} ${text.slice(0, 500)}`)
  const offer = Offer.safeParse(parse(text))
  if (!offer.success) throw new LlmError('down', `unknown list of models: ${text.slice(0, 200)}`)
  return offer.data.data
    .map(({ id, shutdown_date }) => ({ id, shutdownDate: shutdown_date ?? null }))
    .sort((a, b) => a.id.localeCompare(b.id))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
