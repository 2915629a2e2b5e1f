import type { Context } from 'hono'
import type { ResponsesBody } from '#contract/openai.ts'
import type { Env } from '#server/http/route.ts'
import { newId } from '#server/lib/ids.ts'
import type { UsedKey } from '../api-keys/find-key.ts'
import type { ProgramDeps } from './chat.ts'
import { answerEvents } from './door.ts'
import { findModelOf } from './models.ts'
import { createResponse } from './responses-answer.ts'
import { responsesCallOf } from './responses-request.ts'
import { type Caller, runChat, symbolHeaders } from './run-chat.ts'

/** POST /v1/responses. */
export async function answerResponses(c: Context<Env>, deps: ProgramDeps, key: UsedKey, body: ResponsesBody) {
  const call = responsesCallOf(body)
  const model = await findModelOf(deps.db, key, call.model, 'text')
  const head = { id: `resp_${newId()}`, created_at: Math.floor(Date.now() / 1000), model: model.id }
  if (!body.stream) {
    const { listener, end } = createResponse(head, () => undefined)
    const work = (stops: AbortSignal) => runChat(deps, { key, left: c.req.raw.signal, stops }, model, call, listener)
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
  return answerEvents(c, { calls: deps.calls, key }, work, failed)
}
