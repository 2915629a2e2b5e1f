import type { Thinking } from '#contract/models.ts'
import { LlmError } from './errors.ts'
import type { LlmRequest } from './llm.ts'
import type { Profile, ThinkingStyle } from './profile.ts'

export type Options = Record<string, unknown>

/** A part of a request that some models refuse. */
export interface Parameter<Form extends object = Options> {
  /** The key under which its accepted form is remembered. */
  name: string
  /** What can be sent, the best first; the next is tried when a model refuses one. */
  forms: Form[]
  /** Whether an error rejects this form; by default, when it names one of its fields and is not about a size. */
  isRefused?: (text: string, form: Form) => boolean
}

export interface ParameterForms {
  /**
   * Sends a request in the form that the model is known to accept, and at once in the next form when it refuses a
   * parameter. What a model accepted is remembered for some hours.
   */
  ask: <Form extends object, Result>(
    model: string,
    parameters: Parameter<Form>[],
    send: (options: Form) => Promise<Result>,
  ) => Promise<Result>
}

const KEPT_MS = 6 * 3_600_000
const MAX_MODELS = 1000

interface AcceptedForms {
  /** The index of the accepted form, by parameter. */
  forms: Map<string, number>
  until: number
}

export function createParameterForms(now: () => number = Date.now): ParameterForms {
  const models = new Map<string, AcceptedForms>()

  function formsOf(model: string): Map<string, number> {
    const known = models.get(model)
    if (known && known.until > now()) return new Map(known.forms)
    models.delete(model)
    return new Map()
  }

  function remember(model: string, forms: Map<string, number>): void {
    const known = models.get(model)
    models.delete(model)
    // A parallel request may have stored the form of another parameter meanwhile.
    models.set(model, {
      forms: new Map([...(known?.forms ?? []), ...forms]),
      until: known?.until ?? now() + KEPT_MS,
    })
    const [oldest] = models.keys()
    if (models.size > MAX_MODELS && oldest !== undefined) models.delete(oldest)
  }

  return {
    ask: async (model, parameters, send) => {
      const forms = formsOf(model)
      const numberOf = (one: { name: string; forms: unknown[] }) =>
        Math.min(forms.get(one.name) ?? 0, one.forms.length - 1)
      let hasChanged = false
      for (;;) {
        try {
          const result = await send(Object.assign({}, ...parameters.map((one) => one.forms[numberOf(one)])))
          // Only a form that was accepted is remembered: an error may name a parameter and be about something else.
          if (hasChanged) remember(model, forms)
          return result
        } catch (error) {
          const refused = parameters.find((one) => refuses(error, one, numberOf(one)))
          if (!refused) throw error
          forms.set(refused.name, numberOf(refused) + 1)
          hasChanged = true
        }
      }
    },
  }
}

function refuses<Form extends object>(error: unknown, one: Parameter<Form>, n: number): boolean {
  const form = one.forms[n]
  if (!(error instanceof LlmError) || error.kind !== 'refused') return false
  const { status } = error.failure
  const hasNext = n < one.forms.length - 1
  if ((status !== 400 && status !== 422) || !hasNext || form === undefined) return false
  return error.says((text) => (one.isRefused ?? namesField)(text, form))
}

function namesField(text: string, form: object): boolean {
  if (/too (large|high|big)|at most|exceed|greater than|less than/i.test(text)) return false
  return Object.keys(form).some((field) => new RegExp(`(?<![a-z_])${field}(?![a-z_])`, 'i').test(text))
}

/** The parameters of a chat completions request that models may reject. */
export function chatParameters(profile: Profile, { maxTokens, thinking }: LlmRequest): Parameter[] {
  const parameters: Parameter[] = []
  if (profile.asksForUsage) {
    parameters.push({ name: 'usage', forms: [{ stream_options: { include_usage: true } }, {}] })
  }
  if (maxTokens) {
    const other = profile.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
    parameters.push({ name: 'limit', forms: [{ [profile.limit]: maxTokens }, { [other]: maxTokens }, {}] })
  }
  const depth = thinking === undefined ? [] : depthForms(profile.thinking, thinking)
  if (depth.length > 0) parameters.push({ name: `thinking ${thinking}`, forms: [...depth, {}] })
  return parameters
}

const efforts: Record<Exclude<Thinking, 'usual'>, string[]> = {
  // Newer models call it «none», older ones know «minimal» only.
  none: ['none', 'minimal'],
  more: ['medium'],
  most: ['high'],
}

function depthForms(style: ThinkingStyle, thinking: Thinking): Options[] {
  if (thinking === 'usual') return []
  if (style === 'effort') return efforts[thinking].map((effort) => ({ reasoning_effort: effort }))
  if (style === 'openrouter') return efforts[thinking].map((effort) => ({ reasoning: { effort } }))
  if (style === 'toggle') return [{ thinking: { type: thinking === 'none' ? 'disabled' : 'enabled' } }]
  return []
}
