import type { Context } from 'hono'
import { writeAnswerEvent } from '#contract/answers.ts'
import { assistantsApi, type TryEvent, type TryOut } from '#contract/assistants.ts'
import type { Ctx } from '#server/http/context.ts'
import { openEventStream } from '#server/http/event-stream.ts'
import type { TakeSlot } from '#server/http/limits.ts'
import { type App, type Env, route } from '#server/http/route.ts'
import { answerErrorOf, errorOutcome } from '../answers/finish.ts'
import { createAddFile, payLibraryFile, removeLibraryFile, retryLibraryFile } from '../files/library.ts'
import type { UploadDeps } from '../files/upload.ts'
import { allowanceOf } from '../knowledge/allowance.ts'
import { readPassage } from '../knowledge/retrieve.ts'
import { picturePagesOf } from '../scans/picture-pages.ts'
import {
  assistantLibrary,
  createAssistant,
  deleteAssistant,
  listAssistants,
  readAssistant,
  updateAssistant,
} from './assistants.ts'
import { type TryOutDeps, tryOut } from './try-out.ts'

type AssistantsDeps = UploadDeps & TryOutDeps & { takeStream: TakeSlot }

export function assistantRoutes(app: App, deps: AssistantsDeps) {
  const { storage } = deps
  const addFile = createAddFile(assistantLibrary, deps)
  route(app, assistantsApi.list, (ctx) => listAssistants(ctx))
  route(app, assistantsApi.create, (ctx, { body }) => createAssistant(ctx, deps.providers, body), {
    limit: 'heavy',
  })
  route(app, assistantsApi.tryOut, (ctx, { body }, c) => answerTryOut(c, ctx, deps, body), { limit: 'models' })
  route(app, assistantsApi.allowance, async ({ db, user }) => ({
    allowance: await allowanceOf(db, deps.knowledge, user.id),
  }))
  route(app, assistantsApi.get, (ctx, { params }) => readAssistant(ctx, params.id))
  route(app, assistantsApi.update, (ctx, { params, body }) => updateAssistant(ctx, deps.providers, params.id, body))
  route(app, assistantsApi.delete, (ctx, { params }) => deleteAssistant(ctx, storage, params.id))
  route(
    app,
    assistantsApi.addFile,
    (ctx, { params, query }, c) => addFile(ctx, params.id, c.req.raw, query.paid === '1'),
    { limit: 'uploads' },
  )
  route(app, assistantsApi.removeFile, (ctx, { params }) =>
    removeLibraryFile(assistantLibrary, ctx, storage, params.id, params.fileId),
  )
  route(
    app,
    assistantsApi.retryFile,
    (ctx, { params }) => retryLibraryFile(assistantLibrary, ctx, deps, params.id, params.fileId),
    { limit: 'uploads' },
  )
  route(
    app,
    assistantsApi.payFile,
    (ctx, { params }) => payLibraryFile(assistantLibrary, ctx, deps, params.id, params.fileId),
    { limit: 'uploads' },
  )
  route(app, assistantsApi.passage, async (ctx, { params }) => {
    const passage = await readPassage(ctx, params.passageId)
    return { ...passage, picturePages: await picturePagesOf(ctx, passage) }
  })
}

/** A try-out ends when its client disconnects. */
async function answerTryOut(c: Context<Env>, ctx: Ctx, deps: AssistantsDeps, request: TryOut): Promise<Response> {
  if (!(c.req.header('accept') ?? '').includes('text/event-stream')) {
    const whole = await tryOut(ctx, deps, request, { signal: c.req.raw.signal, onText: () => undefined })
    return c.json(assistantsApi.tryOut.returns.parse(whole))
  }
  const disconnected = new AbortController()
  const releaseSlot = deps.takeStream(ctx.user.id)
  const stream = openEventStream(c, ctx.session, () => {
    releaseSlot()
    disconnected.abort()
  })
  const send = (event: TryEvent) => stream.write(writeAnswerEvent(event))
  let offset = 0
  void tryOut(ctx, deps, request, {
    signal: disconnected.signal,
    onText: (text) => {
      offset += text.length
      send({ type: 'delta', offset, text })
    },
  })
    .then((tried) => send({ type: 'done', ...tried }))
    .catch((error: unknown) => send(errorEvent(ctx, deps, error)))
    .finally(() => stream.end())
  return stream.response
}

function errorEvent({ user }: Ctx, { log }: UploadDeps, error: unknown): TryEvent {
  const kind = answerErrorOf(error)
  if (!kind) log.error({ err: error, userId: user.id }, 'assistants: try-out failed')
  return errorOutcome(
    kind ?? { code: 'internal', message: 'Что-то сломалось на нашей стороне. Повторите через минуту.' },
  )
}
