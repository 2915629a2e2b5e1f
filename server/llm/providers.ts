import { countProviderError } from '#server/http/metrics.ts'
import { createBreakers, type OpenCircuit } from './breaker.ts'
import { demoLlm } from './demo.ts'
import { demoDraw } from './demo-picture.ts'
import { demoTranscribe } from './demo-transcribe.ts'
import type { Draw } from './draw.ts'
import { type Embed, openAiEmbed } from './embeddings.ts'
import { LlmError } from './errors.ts'
import type { Llm, LlmRequest, OnText } from './llm.ts'
import { type Offered, readOffer } from './offer.ts'
import { type ModelTimeouts, openAiLlm, usualTimeouts } from './openai.ts'
import { openAiDraw } from './openai-images.ts'
import { openAiTranscribe } from './openai-transcribe.ts'
import { withRetry } from './retry.ts'
import type { Transcribe } from './transcribe.ts'

export interface ProviderKeys {
  name: string
  baseUrl: string
  apiKey: string | null
}

export interface Providers {
  /** The language models behind a provider's name. */
  llm: (name: string) => Llm
  /** Makes vectors of texts by a model of a provider; null where there is no such provider, and the demo has none. */
  embed: (name: string, model: string) => Embed | null
  /** The models behind the same name that draw. */
  draw: (name: string) => Draw
  /** The models that listen. */
  transcribe: (name: string) => Transcribe
  list: () => { name: string; baseUrl: string | null }[]
  /** What a provider says it has. */
  offer: (name: string) => Promise<Offered[]>
  /** Models that are left alone for a while after failures. */
  state: () => OpenCircuit[]
}

const RETRY_MS = 500
/** Whoever has waited this long for a failure is not made to wait for a second one. */
const QUICK_MS = 10_000
const DEMO = { name: 'demo', baseUrl: null }
const DEMO_MODELS = ['demo', 'demo-image', 'demo-transcription']

export interface ProviderOptions {
  timeouts?: ModelTimeouts
}

/** Every try that failed is counted, also one that a retry makes good. */
function counted<Args extends unknown[], Result>(provider: string, call: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    try {
      return await call(...args)
    } catch (error) {
      if (error instanceof LlmError) countProviderError({ provider, error: error.kind })
      throw error
    }
  }
}

export function createProviders(
  configured: ProviderKeys[],
  { timeouts = usualTimeouts }: ProviderOptions = {},
): Providers {
  const breakers = createBreakers()
  const known = new Map<string, Llm>([['demo', demoLlm]])
  const drawing = new Map<string, Draw>([['demo', demoDraw]])
  const listening = new Map<string, Transcribe>([['demo', demoTranscribe]])
  for (const provider of configured) {
    const { name } = provider
    known.set(name, guarded(name, patient(counted(name, openAiLlm(provider, timeouts)))))
    drawing.set(name, breakers.guard(name, patientDraw(counted(name, openAiDraw(provider)))))
    listening.set(name, counted(name, openAiTranscribe(provider)))
  }

  /** The first word shows that a model is back; nobody else waits for the last one. */
  function guarded(provider: string, llm: Llm): Llm {
    return breakers.guard(provider, (request: LlmRequest, signal: AbortSignal, onText: OnText) => {
      let spoke = false
      return llm(request, signal, (piece) => {
        if (!spoke) breakers.spoke(provider, request.model)
        spoke = true
        onText(piece)
      })
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
    list: () => [DEMO, ...configured.map(({ name, baseUrl }) => ({ name, baseUrl }))],
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
 * Tries once more when the provider stumbles before its first word; afterwards a repeat would say things twice. Not
 * after a silence: whoever has waited so long is better served by the fallback, or by a plain word.
 */
export function patient(llm: Llm, waitMs = RETRY_MS): Llm {
  return (request, signal, onText) => {
    let spoke = false
    const ask = async () => {
      request.onAsked?.(true)
      try {
        return await llm(request, signal, (piece) => {
          spoke = true
          onText(piece)
        })
      } catch (error) {
        if (!signal.aborted) request.onAsked?.(false)
        throw error
      }
    }
    return withRetry(ask, signal, {
      tries: 2,
      waitMs: () => waitMs,
      mayRetry: ({ kind }, elapsedMs) => !spoke && elapsedMs < QUICK_MS && (kind === 'busy' || kind === 'down'),
    })
  }
}

/** A picture costs money and time, so it is asked for again only when the provider itself says when. */
function patientDraw(draw: Draw): Draw {
  return (request, signal) =>
    withRetry(() => draw(request, signal), signal, {
      tries: 2,
      waitMs: () => 0,
      mayRetry: ({ kind, retryAfterMs }) => retryAfterMs !== null && (kind === 'busy' || kind === 'down'),
    })
}
