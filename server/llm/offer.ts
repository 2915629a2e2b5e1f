import * as z from 'zod/mini'
import { kindOf, LlmError } from './errors.ts'
import type { ProviderAddress } from './openai.ts'

export interface Offered {
  id: string
  /** When the provider switches it off, if it says so. */
  shutdownDate: string | null
}

const TIMEOUT_MS = 15_000
const Offer = z.object({
  data: z.array(z.object({ id: z.string(), shutdown_date: z.optional(z.nullable(z.string())) })),
})

/** The provider's own list of models. */
export async function readOffer({ baseUrl, apiKey }: ProviderAddress): Promise<Offered[]> {
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
    headers: { accept: 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new LlmError('down', 'the list of models did not come', cause)
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
