import { setTimeout as pause } from 'node:timers/promises'
import { createBreaker } from './breaker.ts'
import { demoLlm } from './demo.ts'
import { demoDraw } from './demo-picture.ts'
import { demoTranscribe } from './demo-transcribe.ts'
import type { Draw } from './draw.ts'
import { type Embed, openAiEmbed } from './embeddings.ts'
import { LlmError } from './errors.ts'
import type { Llm } from './llm.ts'
import { type Offered, readOffer } from './offer.ts'
import { openAiLlm } from './openai.ts'
import { openAiDraw } from './openai-images.ts'
import { openAiTranscribe } from './openai-transcribe.ts'
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
}

const RETRY_MS = 500
const DEMO = { name: 'demo', baseUrl: null }
const DEMO_MODELS = ['demo', 'demo-image', 'demo-transcription']

export function createProviders(configured: ProviderKeys[]): Providers {
  const known = new Map<string, Llm>([['demo', demoLlm]])
  const drawing = new Map<string, Draw>([['demo', demoDraw]])
  const listening = new Map<string, Transcribe>([['demo', demoTranscribe]])
  for (const provider of configured) {
    known.set(provider.name, patient(createBreaker(openAiLlm(provider))))
    drawing.set(provider.name, createBreaker(openAiDraw(provider)))
    listening.set(provider.name, openAiTranscribe(provider))
  }
  return {
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

/** Tries once more when the provider stumbles before its first word; afterwards a repeat would say things twice. */
export function patient(llm: Llm, waitMs = RETRY_MS): Llm {
  return async (request, signal, onText) => {
    let spoke = false
    try {
      return await llm(request, signal, (piece) => {
        spoke = true
        onText(piece)
      })
    } catch (error) {
      if (spoke || signal.aborted || !(error instanceof LlmError) || !error.isPassing) throw error
    }
    await pause(waitMs, undefined, { signal })
    return llm(request, signal, onText)
  }
}
