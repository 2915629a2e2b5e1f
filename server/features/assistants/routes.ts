import type { Context } from 'hono'
import { assistantsApi, type TryEvent } from '#contract/assistants.ts'
import { writeAnswerEvent } from '#contract/events.ts'
import type { Ctx } from '#server/http/context.ts'
import { openEventStream } from '#server/http/event-stream.ts'
import type { TakePlace } from '#server/http/places.ts'
import { type App, admitUser, check, type Env, readJson, route } from '#server/http/route.ts'
import { errorOutcome, faultOf } from '../answers/outcome.ts'
import type { UploadWorld } from '../files/upload.ts'
import { allowanceOf } from '../knowledge/allowance.ts'
import { readExcerpt } from '../knowledge/retrieve.ts'
import { createAssistant, deleteAssistant, listAssistants, readAssistant, updateAssistant } from './assistants.ts'
import { createAddFile, payAssistantFile, removeFile, retryAssistantFile } from './files.ts'
import { type TryWorld, tryOut } from './try-out.ts'

type AssistantsWorld = UploadWorld & TryWorld & { takeStream: TakePlace }

export function assistantRoutes(app: App, world: AssistantsWorld) {
  const { storage } = world
  const addFile = createAddFile(world)
  route(app, assistantsApi.list, (ctx) => listAssistants(ctx))
  route(app, assistantsApi.create, (ctx, { body }) => createAssistant(ctx, body), { limit: 'assistants' })
  app.post(assistantsApi.tryOut.path, (c) => answerTry(c, world))
  route(app, assistantsApi.allowance, async ({ db, user }) => ({
    allowance: await allowanceOf(db, world.knowledge, user.id),
  }))
  route(app, assistantsApi.get, (ctx, { params }) => readAssistant(ctx, params.id))
  route(app, assistantsApi.update, (ctx, { params, body }) => updateAssistant(ctx, params.id, body))
  route(app, assistantsApi.delete, (ctx, { params }) => deleteAssistant(ctx, storage, params.id))
  app.post(assistantsApi.addFile.path, async (c) =>
    c.json(
      await addFile(
        await admitUser(c, 'user', { limit: 'assistant-files' }),
        c.req.param('id'),
        c.req.raw,
        c.req.query('paid') === '1',
      ),
    ),
  )
  route(app, assistantsApi.removeFile, (ctx, { params }) => removeFile(ctx, storage, params.id, params.fileId))
  route(app, assistantsApi.retryFile, (ctx, { params }) => retryAssistantFile(ctx, world, params.id, params.fileId), {
    limit: 'assistant-files',
  })
  route(app, assistantsApi.payFile, (ctx, { params }) => payAssistantFile(ctx, world, params.id, params.fileId), {
    limit: 'assistant-files',
  })
  route(app, assistantsApi.excerpt, (ctx, { params }) => readExcerpt(ctx, params.chunkId))
}

/** A try-out belongs to its reader: who leaves ends it. */
async function answerTry(c: Context<Env>, world: AssistantsWorld): Promise<Response> {
  const ctx = await admitUser(c, 'user', { limit: 'assistant-try' })
  const asked = check(assistantsApi.tryOut.body, await readJson(c))
  if (!(c.req.header('accept') ?? '').includes('text/event-stream')) {
    const whole = await tryOut(ctx, world, asked, { signal: c.req.raw.signal, onText: () => undefined })
    return c.json(assistantsApi.tryOut.returns.parse(whole))
  }
  const leaving = new AbortController()
  const leave = world.takeStream(ctx.user.id)
  const stream = openEventStream(c, () => {
    leave()
    leaving.abort()
  })
  const tell = (event: TryEvent) => stream.write(writeAnswerEvent(event))
  let offset = 0
  void tryOut(ctx, world, asked, {
    signal: leaving.signal,
    onText: (text) => {
      offset += text.length
      tell({ type: 'delta', offset, text })
    },
  })
    .then((tried) => tell({ type: 'done', ...tried }))
    .catch((error: unknown) => tell(failed(ctx, world, error)))
    .finally(() => stream.end())
  return stream.response
}

function failed({ user }: Ctx, { log }: UploadWorld, error: unknown): TryEvent {
  const fault = faultOf(error)
  if (!fault) log.error({ err: error, userId: user.id }, 'a try-out failed')
  return errorOutcome(
    fault ?? { code: 'internal', message: 'Что-то сломалось на нашей стороне. Повторите через минуту.' },
  )
}
