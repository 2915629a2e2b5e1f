import type { Context } from 'hono'
import { type AnswerEvent, answersApi, FinishedMessage, writeAnswerEvent } from '#contract/answers.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Ctx } from '#server/http/context.ts'
import { openEventStream } from '#server/http/event-stream.ts'
import type { TakeSlot } from '#server/http/limits.ts'
import { type App, type Env, route } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import { continueAnswer, regenerate, sendMessage, stopAnswer } from './ask.ts'
import type { AnswersDeps } from './deps.ts'
import { attach, findOwnAnswer, type OwnAnswer } from './stream.ts'

interface AnswerRoutesDeps extends AnswersDeps {
  /** Limits how many answers a user reads at once. */
  takeStream: TakeSlot
}

export function answerRoutes(app: App, deps: AnswerRoutesDeps) {
  const sends = { limit: 'sends' } as const
  route(
    app,
    answersApi.send,
    (ctx, { params, body }, c) => answering(c, ctx, deps, () => sendMessage(ctx, deps, params.id, body)),
    sends,
  )
  route(
    app,
    answersApi.regenerate,
    (ctx, { params, body }, c) =>
      answering(c, ctx, deps, () => regenerate(ctx, deps, params.id, params.messageId, body)),
    sends,
  )
  route(
    app,
    answersApi.continue,
    (ctx, { params, body }, c) =>
      answering(c, ctx, deps, () => continueAnswer(ctx, deps, params.id, params.messageId, body)),
    sends,
  )
  route(app, answersApi.stream, (ctx, { params }, c) =>
    answering(c, ctx, deps, () => findOwnAnswer(ctx, deps, params.id, params.messageId)),
  )
  route(app, answersApi.stop, (ctx, { params }) => stopAnswer(ctx, deps, params.id, params.messageId))
}

/** Starts or finds an answer and returns it as a stream, or as JSON when it is finished. */
async function answering(
  c: Context<Env>,
  ctx: Ctx,
  deps: AnswerRoutesDeps,
  findAnswer: () => Promise<OwnAnswer>,
): Promise<Response> {
  const releaseSlot = deps.takeStream(ctx.user.id)
  try {
    const answer = await findAnswer()
    if (!wantsJson(c)) return await streamAnswer(c, ctx, deps, answer, releaseSlot)
    const finished = await finishedMessage(c, ctx, deps, answer)
    releaseSlot()
    return c.json(FinishedMessage.parse(finished))
  } catch (error) {
    releaseSlot()
    throw error
  }
}

const wantsJson = (c: Context<Env>) => {
  const accept = c.req.header('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/event-stream')
}

async function streamAnswer(
  c: Context<Env>,
  ctx: Ctx,
  deps: AnswersDeps,
  answer: OwnAnswer,
  releaseSlot: () => void,
): Promise<Response> {
  let detach: (() => void) | null = null
  let isClosed = false
  const stream = openEventStream(c, ctx.session, () => {
    isClosed = true
    releaseSlot()
    detach?.()
  })
  const send = (event: AnswerEvent) => {
    stream.write(writeAnswerEvent(event))
    if (event.type !== 'done' && event.type !== 'error') return
    stream.end()
    // A broken connection may stay open for minutes, so the slot is released with the last event.
    releaseSlot()
  }
  try {
    // An answer that this request has started is sent from its beginning.
    const offset = {
      text: answer.rows ? null : offsetIn(c, 'last-event-id'),
      thought: offsetIn(c, 'last-thought-id') ?? 0,
    }
    detach = await attach(ctx, deps, answer, offset, send)
    if (isClosed) detach()
  } catch (error) {
    deps.onError(error)
    stream.end()
    releaseSlot()
  }
  return stream.response
}

/** How much a reader has of the text or of the thought; null when it does not say. */
function offsetIn(c: Context<Env>, header: 'last-event-id' | 'last-thought-id'): number | null {
  const offset = Number(c.req.header(header) || Number.NaN)
  return Number.isInteger(offset) && offset >= 0 ? offset : null
}

async function finishedMessage(
  c: Context<Env>,
  ctx: Ctx,
  deps: AnswersDeps,
  answer: OwnAnswer,
): Promise<FinishedMessage> {
  let unwatch = () => {}
  const end = await new Promise<AnswerEvent>((done, fail) => {
    unwatch = c.var.onSessionEnd(ctx.session.id, () =>
      fail(new AppError('unauthorized', 'Вход завершён. Войдите снова.')),
    )
    attach(ctx, deps, answer, { text: 0, thought: 0 }, (event) => {
      if (event.type === 'done' || event.type === 'error') done(event)
    }).catch(fail)
  }).finally(() => unwatch())
  if (end.type === 'error') throw new AppError(end.code as ErrorCode, end.message)
  if (end.type !== 'done') throw new Error(`An answer cannot end with ${end.type}`)
  return { ...end.message, SingleSubscription: end.SingleSubscription }
}
