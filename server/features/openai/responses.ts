import { ResponsesBody } from '#contract/openai.ts'
import { newId } from '#server/lib/ids.ts'
import type { ProgramDeps } from './chat.ts'
import { answerEvents, bodyOf, type ProgramCall } from './door.ts'
import { findModelOf } from './models.ts'
import { createResponse } from './responses-answer.ts'
import { responsesCallOf } from './responses-request.ts'
import { type Caller, runChat, symbolHeaders } from './run-chat.ts'

/** POST /v1/responses. */
export async function answerResponses(asked: ProgramCall, deps: ProgramDeps): Promise<Response> {
  const { c, key, left } = asked
  const body = bodyOf(asked, ResponsesBody)
  const call = responsesCallOf(body)
  const model = await findModelOf(deps.db, key, call.model, 'text')
  const head = { id: `resp_${newId()}`, created_at: Math.floor(Date.now() / 1000), model: model.id }
  if (!body.stream) {
    const { listener, end } = createResponse(head, () => undefined)
    const work = (stops: AbortSignal) => runChat(deps, { key, left, stops }, model, call, listener)
    const result = await deps.calls.run(key, work)
    return c.json(end(result), 200, symbolHeaders(result.symbols))
  }
  let send: (event: string) => void = () => undefined
  const response = createResponse(head, (event) => send(event))
  const work = async (caller: Caller, sendEvent: (text: string) => void) => {
    send = sendEvent
    response.end(await runChat(deps, caller, model, call, response.listener))
  }
  const failed = (error: Parameters<typeof response.fail>[0]) => {
    let event = ''
    send = (text) => {
      event += text
    }
    response.fail(error)
    return event
  }
  return answerEvents(asked, deps.calls, work, failed)
}
