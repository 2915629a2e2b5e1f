import type { Context } from 'hono'
import { type AnswerEvent, answersApi, type FinishedMessage } from '#contract/answers.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { writeAnswerEvent } from '#contract/events.ts'
import type { Ctx } from '#server/http/context.ts'
import { openEventStream } from '#server/http/event-stream.ts'
import { type App, admitUser, check, type Env, readJson, route } from '#server/http/route.ts'
import type { TakeSlot } from '#server/http/slots.ts'
import { AppError } from '#server/lib/errors.ts'
import { continueAnswer, regenerate, sendMessage, stopAnswer } from './ask.ts'
import { attach, checkOwn } from './attach.ts'
import type { AnswersDeps } from './open.ts'

type Params = Record<'id' | 'messageId', string>

/** `takeStream` bounds how many answers one person reads at once. */
interface AnswerRoutesDeps extends AnswersDeps {
  takeStream: TakeSlot
}

export function answerRoutes(app: App, deps: AnswerRoutesDeps) {
  app.post(answersApi.send.path, (c) =>
    answering(c, deps, async (ctx, { id }) =>
      sendMessage(ctx, deps, id, check(answersApi.send.body, await readJson(c))),
    ),
  )
  app.post(answersApi.regenerate.path, (c) =>
    answering(c, deps, async (ctx, { id, messageId }) => {
      const { modelId } = check(answersApi.regenerate.body, await readJson(c))
      return regenerate(ctx, deps, id, messageId, modelId)
    }),
  )
  app.post(answersApi.continue.path, (c) =>
    answering(c, deps, async (ctx, { id, messageId }) => {
      const { modelId } = check(answersApi.continue.body, await readJson(c))
      return continueAnswer(ctx, deps, id, messageId, modelId)
    }),
  )
  app.get(answersApi.stream.path, (c) => answering(c, deps, async (_, { messageId }) => messageId))
  route(app, answersApi.stop, (ctx, { params }) => stopAnswer(ctx, deps, params.id, params.messageId))
}

/** Begins or finds an answer and lets the caller read it: as a stream, or once when it is whole. */
async function answering(
  c: Context<Env>,
  deps: AnswerRoutesDeps,
  begin: (ctx: Ctx, params: Params) => Promise<string>,
) {
  const ctx = await admitUser(c, 'user', c.req.method === 'POST' ? { limit: 'sends' } : {})
  const params = c.req.param() as Params
  const leave = deps.takeStream(ctx.user.id)
  try {
    const place = { threadId: params.id, messageId: await begin(ctx, params) }
    if (!wantsJson(c)) return await streamAnswer(c, ctx, deps, place, leave)
    const whole = await wholeAnswer(ctx, deps, place)
    leave()
    return c.json(whole)
  } catch (error) {
    leave()
    throw error
  }
}

const wantsJson = (c: Context<Env>) => {
  const accept = c.req.header('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/event-stream')
}

interface Place {
  threadId: string
  messageId: string
}

async function streamAnswer(
  c: Context<Env>,
  ctx: Ctx,
  deps: AnswersDeps,
  place: Place,
  onEnd: () => void,
): Promise<Response> {
  const known = Number(c.req.header('last-event-id') || Number.NaN)
  const have = Number.isInteger(known) && known >= 0 ? known : null
  // Before the stream is open a missing message is still a plain 404.
  await checkOwn(ctx, deps, place.threadId, place.messageId)
  let leave: (() => void) | null = null
  let isGone = false
  const stream = openEventStream(c, () => {
    isGone = true
    onEnd()
    leave?.()
  })
  const send = (event: AnswerEvent) => {
    stream.write(writeAnswerEvent(event))
    if (event.type !== 'done' && event.type !== 'error') return
    stream.end()
    // A line that has died may stay open for minutes: the place is free when the answer is over.
    onEnd()
  }
  try {
    leave = await attach(ctx, deps, { ...place, have }, send)
    if (isGone) leave()
  } catch (error) {
    deps.onError(error)
    stream.end()
    onEnd()
  }
  return stream.response
}

async function wholeAnswer(ctx: Ctx, deps: AnswersDeps, place: Place): Promise<FinishedMessage> {
  const end = await new Promise<AnswerEvent>((done, fail) => {
    attach(ctx, deps, { ...place, have: null }, (event) => {
      if (event.type === 'done' || event.type === 'error') done(event)
    }).catch(fail)
  })
  if (end.type === 'error') throw new AppError(end.code as ErrorCode, end.message)
  if (end.type !== 'done') throw new Error(`An answer cannot end with ${end.type}`)
  return { ...end.message, SingleSubscription: end.SingleSubscription }
}
