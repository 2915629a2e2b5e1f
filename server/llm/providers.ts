import { setTimeout as pause } from 'node:timers/promises'
import { createBreaker } from './breaker.ts'
import { demoLlm } from './demo.ts'
import { demoTranscribe } from './demo-transcribe.ts'
import { LlmError } from './errors.ts'
import type { Llm } from './llm.ts'
import { type Offered, readOffer } from './offer.ts'
import { openAiLlm } from './openai.ts'
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
  /** The models that listen. */
  transcribe: (name: string) => Transcribe
  list: () => { name: string; baseUrl: string | null }[]
  /** What a provider says it has. */
  offer: (name: string) => Promise<Offered[]>
}

const RETRY_MS = 500
const DEMO = { name: 'demo', baseUrl: null }

export function createProviders(configured: ProviderKeys[]): Providers {
  const known = new Map<string, Llm>([['demo', demoLlm]])
  for (const provider of configured) known.set(provider.name, patient(createBreaker(openAiLlm(provider))))
  const listeners = new Map<string, Transcribe>([['demo', demoTranscribe]])
  for (const provider of configured) listeners.set(provider.name, openAiTranscribe(provider))
  return {
    transcribe: (name) => {
      const transcribe = listeners.get(name)
      if (!transcribe) throw new LlmError('key', `no provider ${name}`)
      return transcribe
    },
    llm: (name) => {
      const llm = known.get(name)
      if (!llm) throw new LlmError('key', `no provider ${name}`)
      return llm
    },
    list: () => [DEMO, ...configured.map(({ name, baseUrl }) => ({ name, baseUrl }))],
    offer: async (name) => {
      if (name === DEMO.name) return [{ id: 'demo', shutdownDate: null }]
      const provider = configured.find((candidate) => candidate.name === name)
      if (!provider) throw new LlmError('key', `no provider ${name}`)
      return readOffer(provider)
    },
  }
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
