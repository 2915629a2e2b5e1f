import { ResponsesBody } from '#contract/openai-responses.ts'
import { newId } from '#server/lib/ids.ts'
import type { ProgramDeps } from './chat.ts'
import { dropUnusedThoughts } from './chat-request.ts'
import { answerEvents, bodyOf, type ProgramCall, say } from './door.ts'
import { createItemIds, findItems, keepItems } from './kept-items.ts'
import { findModelOf } from './models.ts'
import { createResponse } from './responses-answer.ts'
import { referencesIn, responsesCallOf } from './responses-request.ts'
import { type Caller, type ChatCaller, runChat, symbolHeaders } from './run-chat.ts'

/** POST /v1/responses. */
export async function answerResponses(asked: ProgramCall, deps: ProgramDeps): Promise<Response> {
  const { c, key, left } = asked
  const body = await bodyOf(asked, ResponsesBody)
  const { call, tools } = responsesCallOf(body, await findItems(deps, key.userId, referencesIn(body)))
  const model = await findModelOf(deps.db, key, call.model, 'text')
  dropUnusedThoughts(call, deps.providers, model)
  if (tools.leftOut.length > 0) say(asked, LEFT_OUT, tools.leftOut.join(', '))
  const ids = createItemIds()
  const head = {
    ...{ id: `resp_${newId()}`, created_at: Math.floor(Date.now() / 1000), model: model.id },
    store: body.store !== false,
  }
  let send: (event: string) => void = () => undefined
  const response = createResponse({
    head,
    ids,
    nameOf: tools.nameOf,
    send: body.stream ? (event) => send(event) : null,
  })
  /** A program may name the items as soon as it has read the end, so they are kept before it. */
  const run = async (caller: ChatCaller) => {
    const end = await runChat(deps, caller, model, call, response.listener)
    const items = response.close(end.reason)
    if (head.store) await keepItems(deps, key.userId, ids, items)
    return { end, whole: response.end(end) }
  }
  if (!body.stream) {
    const { end, whole } = await deps.calls.run(key, (stops) => run({ key, left, stops, isWhole: true }))
    return c.json(whole, 200, symbolHeaders(end.symbols))
  }
  const work = async (caller: Caller, sendEvent: (text: string) => void) => {
    send = sendEvent
    await run({ ...caller, isWhole: false })
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

/** Tools that a program offers to every model and that were left out. */
const LEFT_OUT = 'x-tools-left-out'
