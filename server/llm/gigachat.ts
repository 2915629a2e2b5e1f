import { LlmError } from './errors.ts'
import type { LlmMessage, LlmRequest, LlmToolCall } from './llm.ts'
import { argumentsOf, splitTurns, type Turn } from './turns.ts'

/** GigaChat's form of functions: one call per answer, arguments as an object, a result as JSON under its name. */

const NO_PARAMETERS = { type: 'object', properties: {} }

export function functionOptions({ tools, toolChoice = 'auto' }: Pick<LlmRequest, 'tools' | 'toolChoice'>): object {
  if (!tools) return {}
  const functions = tools.map(({ name, description, parameters = NO_PARAMETERS }) => ({
    ...{ name, ...(description && { description }), parameters },
  }))
  return { functions, function_call: toolChoice === 'required' ? onlyOne(tools) : toolChoice }
}

/** A call can be demanded of one named function only. */
function onlyOne([first, ...others]: readonly { name: string }[]): { name: string } {
  if (first && others.length === 0) return { name: first.name }
  throw new LlmError('refused', {
    reason: 'no-required-tool',
    sentence: 'Эта модель не умеет выбирать обязательную функцию из нескольких. Назовите одну или выберите auto.',
  })
}

/** The system message is one and the first; each call is followed by its result. */
export function functionMessages(messages: LlmMessage[]): object[] {
  const { system, turns } = splitTurns(messages)
  return [...(system ? [{ role: 'system', content: system }] : []), ...turns.flatMap(turnMessages)]
}

function turnMessages({ role, content, toolCalls = [], results = [] }: Turn, n: number, turns: Turn[]): object[] {
  if (results.length > 0) return content === '' ? [] : [{ role, content }]
  if (toolCalls.length === 0) return [{ role, content }]
  const given = turns[n + 1]?.results ?? []
  return toolCalls.flatMap((call, i) => {
    const result = given.find(({ id }) => id === call.id)
    return [
      { role, content: i === 0 ? content : '', ...callOf(call) },
      ...(result ? [{ role: 'function', name: call.name, content: jsonOf(result.content) }] : []),
    ]
  })
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The state of the model's functions comes back as the id that we gave to the call. */
const callOf = (call: LlmToolCall) => ({
  function_call: { name: call.name, arguments: argumentsOf(call) },
  ...(UUID.test(call.id) && { functions_state_id: call.id }),
})

/** A result must be a JSON object. */
function jsonOf(content: string): string {
  try {
    const value: unknown = JSON.parse(content)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return content
    return JSON.stringify({ result: value })
  } catch {
    return JSON.stringify({ result: content })
  }
}
