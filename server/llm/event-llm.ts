import { type ByteBudget, picturesInFlight } from './byte-budget.ts'
import type { Connection } from './connection.ts'
import { type AnswerReader, type ErrorRules, readEvents, rejection } from './event-stream.ts'
import type { Llm, LlmRequest } from './llm.ts'
import type { Parameter } from './parameters.ts'
import { bodyOf, type Part } from './request-body.ts'
import { type ModelTimeouts, usualTimeouts, watchSilence } from './silence.ts'

/** What the API of a vendor is like. */
interface Dialect<Wire extends object> {
  path: (model: string) => string
  /** What of the request its models may refuse. */
  parameters: (request: LlmRequest) => Parameter<Wire>[]
  parts: (request: LlmRequest, wire: Wire) => Iterable<Part>
  errors?: ErrorRules
  createReader: () => AnswerReader
}

const headers = { accept: 'text/event-stream' }

/** A model behind an API that streams its answer as events. */
export function eventLlm<Wire extends object>(
  { post, forms }: Connection,
  { path, parameters, parts, errors, createReader }: Dialect<Wire>,
  timeouts: ModelTimeouts = usualTimeouts,
  budget: ByteBudget = picturesInFlight,
): Llm {
  return async (request, signal, onText) => {
    const silence = watchSilence(signal, timeouts)
    const ask = async (wire: Wire) => {
      // No variable holds the body, so it can be collected as soon as it is sent.
      const body = () => bodyOf([...parts(request, wire)], request, budget, silence.signal)
      const response = await post(path(request.model), { headers, body, signal: silence.signal })
      if (response.statusCode !== 200) throw await rejection(response, errors)
      return response
    }
    try {
      const response = await forms.ask(request.model, parameters(request), ask)
      const { onThought } = request
      return await readEvents(response, createReader(), { signal, onText, onThought, onSign: silence.broken })
    } catch (error) {
      const reason = silence.explain(error)
      silence.hangUp()
      throw reason
    } finally {
      silence.end()
    }
  }
}
