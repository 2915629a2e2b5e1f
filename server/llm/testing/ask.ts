import { LlmError } from '../errors.ts'
import type { Llm, LlmEnd, LlmRequest } from '../llm.ts'

interface Outcome {
  text: string
  thought: string
  end: LlmEnd | null
  error: LlmError | null
}

export async function ask(llm: Llm, more: Partial<LlmRequest> = {}): Promise<Outcome> {
  const outcome: Outcome = { text: '', thought: '', end: null, error: null }
  const request: LlmRequest = {
    model: 'm',
    messages: [{ role: 'user', content: 'Как дела?' }],
    onThought: (chunk) => {
      outcome.thought += chunk
    },
    ...more,
  }
  try {
    outcome.end = await llm(request, new AbortController().signal, (chunk) => {
      outcome.text += chunk
    })
  } catch (error) {
    if (!(error instanceof LlmError)) throw error
    outcome.error = error
  }
  return outcome
}
