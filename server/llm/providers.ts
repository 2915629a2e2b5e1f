import { createBreaker } from './breaker.ts'
import { demoLlm } from './demo.ts'
import { LlmError } from './errors.ts'
import type { Llm } from './llm.ts'
import { openAiLlm } from './openai.ts'

export interface ProviderKeys {
  name: string
  baseUrl: string
  apiKey: string | null
}

/** Gives the model behind a provider's name. */
export type Providers = (name: string) => Llm

const RETRY_MS = 500

export function createProviders(configured: ProviderKeys[]): Providers {
  const known = new Map<string, Llm>([['demo', demoLlm]])
  for (const provider of configured) known.set(provider.name, patient(createBreaker(openAiLlm(provider))))
  return (name) => {
    const llm = known.get(name)
    if (!llm) throw new LlmError('key', `no provider ${name}`)
    return llm
  }
}

/** Tries once more when the provider stumbles before its first word; afterwards a repeat would say things twice. */
export function patient(llm: Llm, waitMs = RETRY_MS): Llm {
  return async function* (request, signal) {
    let spoke = false
    try {
      for await (const event of llm(request, signal)) {
        spoke = true
        yield event
      }
      return
    } catch (error) {
      if (spoke || signal.aborted || !(error instanceof LlmError) || !error.isPassing) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    yield* llm(request, signal)
  }
}
