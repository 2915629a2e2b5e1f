import { ChatBody } from '#contract/openai.ts'
import { newId } from '#server/lib/ids.ts'
import { chatCallOf, dropUnusedThoughts } from './chat-request.ts'
import { type AnswerHead, chunksOf, collect, completionOf, dataLine } from './chat-response.ts'
import { answerEvents, bodyOf, type Calls, type ProgramCall } from './door.ts'
import { findModelOf } from './models.ts'
import type { RepeatDeps } from './repeats.ts'
import { type CallDeps, type Caller, runChat, symbolHeaders } from './run-chat.ts'

export interface ProgramDeps extends CallDeps, RepeatDeps {
  calls: Calls
}

/** POST /v1/chat/completions. */
export async function answerChat(asked: ProgramCall, deps: ProgramDeps): Promise<Response> {
  const { c, key, left } = asked
  const body = await bodyOf(asked, ChatBody)
  const call = chatCallOf(body)
  const model = await findModelOf(deps.db, key, call.model, 'text')
  dropUnusedThoughts(call, deps.providers, model)
  const head: AnswerHead = { id: `chatcmpl-${newId()}`, created: Math.floor(Date.now() / 1000), model: model.id }
  if (!body.stream) {
    const { answer, ...listener } = collect()
    const work = (stops: AbortSignal) => runChat(deps, { key, left, stops, isWhole: true }, model, call, listener)
    const end = await deps.calls.run(key, work)
    return c.json(completionOf(head, answer, end), 200, symbolHeaders(end.symbols))
  }
  const chunks = chunksOf(head, body.stream_options?.include_usage === true)
  const work = async (caller: Caller, send: (text: string) => void) => {
    let start = chunks.first
    const sendAfterFirst = (chunk: string) => {
      send(start + chunk)
      start = ''
    }
    const end = await runChat(deps, { ...caller, isWhole: false }, model, call, {
      onText: (text) => sendAfterFirst(chunks.text(text)),
      onThought: (text) => sendAfterFirst(chunks.thought(text)),
      onTool: (delta) => sendAfterFirst(chunks.tool(delta)),
    })
    sendAfterFirst(chunks.last(end))
  }
  return answerEvents(asked, deps.calls, work, ({ body: error }) => dataLine(error))
}
