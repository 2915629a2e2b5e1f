import * as z from 'zod/mini'
import type { Connection, Parameter } from './connection.ts'
import { kindOf, type LlmError, type LlmErrorKind, rejectedBy } from './errors.ts'
import { type AnswerReader, eventLlm, type ModelTimeouts, parseEvent } from './event-llm.ts'
import type { Depth, EndReason, Llm, LlmRequest, LlmUsage, ToolDelta } from './llm.ts'
import { joined, openObject, type Part } from './request.ts'
import { argumentsOf, newCallId, splitTurns, type Turn, thoughtUsage } from './turns.ts'

/** Google's Gemini API. Its compatible endpoint loses thoughts and their count. */
export function geminiLlm(connection: Connection, timeouts?: ModelTimeouts): Llm {
  const sendsThinking = connection.profile.thinking !== 'off'
  return eventLlm(
    connection,
    {
      path: (model) => `/${pathOf(model)}:streamGenerateContent?alt=sse`,
      parameters: (request) => [...chosen(request), ...(sendsThinking ? depth(request) : [])],
      parts: partsOf,
      errors: { kind: geminiKind, waitMs: retryDelayMs },
      createReader,
    },
    timeouts,
  )
}

/** «gemini-x» → «models/gemini-x»; tuned models have a folder of their own. */
export function pathOf(model: string): string {
  const name = model.includes('/') ? model : `models/${model}`
  return name.split('/').map(encodeURIComponent).join('/')
}

interface Wire {
  thinkingConfig?: ThinkingConfig
  presencePenalty?: number
  frequencyPenalty?: number
  isSigned?: boolean
}

/** The signature that Google names for calls of functions which come without the model's own. */
const NO_SIGNATURE = 'skip_thought_signature_validator'

function chosen({ sampling: { presencePenalty, frequencyPenalty } = {}, messages }: LlmRequest): Parameter<Wire>[] {
  const penalties: Wire = {
    ...(presencePenalty === undefined ? {} : { presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequencyPenalty }),
  }
  const isRefused = (text: string) => /penalty/i.test(text)
  return [
    ...(Object.keys(penalties).length > 0
      ? [{ name: 'penalties', forms: [penalties, {}], isRefused, isChosen: true }]
      : []),
    ...(messages.some(({ toolCalls }) => toolCalls)
      ? [
          {
            name: 'signature',
            forms: [{}, { isSigned: true }],
            isRefused: (text: string) => /thought_?\s?signature/i.test(text),
          },
        ]
      : []),
  ]
}

interface ThinkingConfig {
  thinkingBudget?: number
  thinkingLevel?: string
  includeThoughts?: boolean
}

type Step = Exclude<Depth, 'usual' | 'none'>
const budgets: Record<Step, number> = {
  ...{ minimal: 512, low: 2048, more: 8192, most: 24_576, xhigh: 24_576, max: 24_576 },
}
const levels: Record<Step, string> = {
  ...{ minimal: 'minimal', low: 'low', more: 'medium', most: 'high', xhigh: 'high', max: 'high' },
}
/** The share of the output limit that thinking may take; the rest is for the text. */
const BUDGET_SHARE = 0.8
/** The least that models accept whose thinking cannot be turned off. */
const LEAST_BUDGET = 128

function depth(request: LlmRequest): Parameter<Wire>[] {
  const { thinking } = request
  const forms: Wire[] =
    thinking === undefined ? [] : configs(request, thinking).map((thinkingConfig) => ({ thinkingConfig }))
  // Some models only say that the request has an invalid argument.
  const isRefused = (text: string) => /think|budget|invalid argument/i.test(text)
  return forms.length > 0 ? [{ name: `thinking ${thinking}`, forms: [...forms, {}], isRefused }] : []
}

/** Models of one generation take a budget, those of the next a level, and each refuses the other. */
function configs({ maxTokens = Number.POSITIVE_INFINITY, onThought }: LlmRequest, thinking: Depth): ThinkingConfig[] {
  if (thinking === 'none') {
    return [{ thinkingBudget: 0 }, { thinkingLevel: 'minimal' }, { thinkingBudget: LEAST_BUDGET }]
  }
  const shown = onThought ? { includeThoughts: true } : {}
  if (thinking === 'usual') return onThought ? [shown] : []
  const most = Math.max(LEAST_BUDGET, Math.floor(maxTokens * BUDGET_SHARE))
  const thinkingBudget = Math.min(budgets[thinking], most)
  return [{ ...shown, thinkingBudget }, { ...shown, thinkingLevel: levels[thinking] }, ...(onThought ? [shown] : [])]
}

function* partsOf(request: LlmRequest, { isSigned = false, ...wire }: Wire): Generator<Part> {
  const { system, turns } = splitTurns(request.messages)
  const head = {
    ...(system ? { systemInstruction: { parts: [{ text: system }] } } : {}),
    ...toolOptions(request),
    generationConfig: { ...generationOptions(request), ...wire },
  }
  yield Buffer.from(`${openObject(head)},"contents":[`)
  yield* joined(turns.map((turn) => turnParts(turn, isSigned)))
  yield Buffer.from(']}')
}

function generationOptions({ maxTokens, stop, sampling: { temperature, topP, seed } = {}, format }: LlmRequest) {
  return {
    ...(maxTokens ? { maxOutputTokens: maxTokens } : {}),
    ...(stop && { stopSequences: stop }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(format && { responseMimeType: 'application/json' }),
    ...(format?.type === 'json_schema' && { responseJsonSchema: format.schema }),
  }
}

function toolOptions({ tools, toolChoice }: LlmRequest): object {
  if (!tools) return {}
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    ...{ name, description: description ?? name, ...(parameters && { parametersJsonSchema: parameters }) },
  }))
  const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const
  const functionCallingConfig =
    typeof toolChoice === 'object'
      ? { mode: 'ANY', allowedFunctionNames: [toolChoice.name] }
      : { mode: modes[toolChoice ?? 'auto'] }
  return { tools: [{ functionDeclarations }], ...(toolChoice && { toolConfig: { functionCallingConfig } }) }
}

function* turnParts({ role, content, images = [], toolCalls = [], results = [] }: Turn, isSigned: boolean) {
  yield Buffer.from(`{"role":"${role === 'user' ? 'user' : 'model'}","parts":[`)
  const block = (fields: object): Part[] => [Buffer.from(JSON.stringify(fields))]
  const text = content.trim() === '' ? [] : [[Buffer.from(JSON.stringify({ text: content }))]]
  yield* joined([
    ...results.map((one) => block({ functionResponse: { name: one.name, response: { result: one.content } } })),
    ...images.map((image): Part[] => [
      Buffer.from(`{"inlineData":{"mimeType":"${image.mime}","data":"`),
      image,
      Buffer.from('"}}'),
    ]),
    ...text,
    ...toolCalls.map((call) =>
      block({
        functionCall: { name: call.name, args: argumentsOf(call) },
        ...(isSigned && { thoughtSignature: NO_SIGNATURE }),
      }),
    ),
  ])
  yield Buffer.from(']}')
}

const optionalNumber = z.optional(z.nullable(z.number()))
const Usage = z.object({
  promptTokenCount: optionalNumber,
  candidatesTokenCount: optionalNumber,
  thoughtsTokenCount: optionalNumber,
  cachedContentTokenCount: optionalNumber,
})
const Event = z.object({
  candidates: z.optional(
    z.array(
      z.object({
        content: z.optional(
          z.object({
            parts: z.optional(
              z.array(
                z.object({
                  text: z.optional(z.string()),
                  thought: z.optional(z.nullable(z.boolean())),
                  functionCall: z.optional(z.object({ name: z.string(), args: z.optional(z.unknown()) })),
                }),
              ),
            ),
          }),
        ),
        finishReason: z.optional(z.nullable(z.string())),
      }),
    ),
  ),
  promptFeedback: z.optional(z.object({ blockReason: z.optional(z.nullable(z.string())) })),
  usageMetadata: z.optional(Usage),
  error: z.optional(z.unknown()),
})

function createReader(): AnswerReader {
  let reason: EndReason | null = null
  let usage: z.infer<typeof Usage> | null = null
  let shown = 0
  let calls = 0
  return {
    read: (data) => {
      const event = parseEvent(data, Event)
      if (event.error) throw errorInStream(event.error)
      if (event.usageMetadata) usage = event.usageMetadata
      if (event.promptFeedback?.blockReason) reason = 'content_filter'
      const [candidate] = event.candidates ?? []
      if (candidate?.finishReason) reason = reasonOf(candidate.finishReason)
      const parts = candidate?.content?.parts ?? []
      const textOf = (isThought: boolean) =>
        parts.map(({ text = '', thought }) => (Boolean(thought) === isThought ? text : '')).join('')
      const thought = textOf(true)
      shown += thought.length
      // A call comes whole and without an id, so each gets a random one.
      const tools = parts.flatMap(({ functionCall: call }): ToolDelta[] =>
        call ? [{ index: calls++, id: newCallId(), name: call.name, arguments: JSON.stringify(call.args ?? {}) }] : [],
      )
      return { text: textOf(false), thought, tools }
    },
    end: () =>
      reason && {
        reason: reason === 'stop' && calls > 0 ? 'tool_calls' : reason,
        usage: usage && usageOf(usage, shown),
      },
  }
}

/** Gemini counts thought and text separately; the output is their sum. */
function usageOf(usage: z.infer<typeof Usage>, shownSymbols: number): LlmUsage {
  const thoughts = usage.thoughtsTokenCount ?? 0
  const cached = usage.cachedContentTokenCount ?? 0
  return {
    inputTokens: usage.promptTokenCount ?? 0,
    outputTokens: (usage.candidatesTokenCount ?? 0) + thoughts,
    ...thoughtUsage(thoughts, shownSymbols),
    ...(cached > 0 ? { cachedTokens: cached } : {}),
  }
}

export const FILTERS = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE/

function reasonOf(reason: string): EndReason {
  if (reason === 'MAX_TOKENS') return 'length'
  return FILTERS.test(reason) ? 'content_filter' : 'stop'
}

const InStream = z.object({ code: z.optional(z.number()) })

function errorInStream(error: unknown): LlmError {
  const text = JSON.stringify(error)
  const { code: status = 500 } = InStream.safeParse(error).data ?? {}
  return rejectedBy({ status, text, kind: geminiKind(status, text), retryAfterMs: retryDelayMs(text) })
}

export function geminiKind(status: number, text: string): LlmErrorKind {
  if (/API_KEY_INVALID|API key (not valid|expired)/i.test(text)) return 'key'
  if (/exceeds the maximum number of tokens/i.test(text)) return 'too_long'
  if (/credits are depleted|enable billing/i.test(text)) return 'credit'
  // «The model is overloaded».
  if (status === 503) return 'busy'
  return kindOf(status, text)
}

/** The time to wait is in the body, not in the headers. */
function retryDelayMs(text: string): number | null {
  const seconds = /"retryDelay":\s*"([\d.]+)s"/.exec(text)?.[1]
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000)
}
