import type { MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import {
  RECORDING_AUDIO,
  TRANSCRIPTION_EXPORT,
  transcriptFormats,
  transcriptionsApi,
} from '#contract/transcriptions.ts'
import { bodyOf } from '#server/files/receive.ts'
import { type App, admitUser, check, type Env, route } from '#server/http/route.ts'
import { attachTranscript, exportTranscription, recordingAudio } from './export.ts'
import type { TranscriptionRouteDeps } from './queue.ts'
import { listTranscriptions } from './rows.ts'
import {
  changeTranscription,
  deleteTranscription,
  getTranscription,
  retryTranscription,
  stopTranscription,
} from './transcriptions.ts'
import { beginUpload, createTranscription, finishUpload, putChunk, uploadedSoFar } from './upload.ts'

const Format = z.object({ format: z.enum(transcriptFormats, { error: 'Бывает txt, srt и docx' }) })
const Path = z.object({ id: z.string() })

export function transcriptionRoutes(app: App, deps: TranscriptionRouteDeps) {
  route(app, transcriptionsApi.list, (ctx, { query }) => listTranscriptions(ctx, query))
  app.post(transcriptionsApi.create.path, async (c) => {
    const ctx = await admitUser(c, 'user', { limit: 'recordings' })
    return c.json(await createTranscription(ctx, deps, c.req.raw))
  })
  route(app, transcriptionsApi.begin, (ctx, { body }) => beginUpload(ctx, body), { limit: 'recordings' })
  route(app, transcriptionsApi.uploaded, (ctx, { params }) => uploadedSoFar(ctx, params.id))
  app.put(transcriptionsApi.put.path, async (c) => {
    const ctx = await admitUser(c, 'user', { limit: 'recording-pieces' })
    const { offset } = check(transcriptionsApi.put.query, c.req.query())
    return c.json(await putChunk(ctx, deps, check(Path, c.req.param()).id, offset, bodyOf(c.req.raw)))
  })
  route(app, transcriptionsApi.finish, (ctx, { params }) => finishUpload(ctx, deps, params.id))
  route(app, transcriptionsApi.get, (ctx, { params }) => getTranscription(ctx, params.id))
  route(app, transcriptionsApi.update, (ctx, { params, body }) => changeTranscription(ctx, params.id, body))
  route(app, transcriptionsApi.retry, (ctx, { params, body }) => retryTranscription(ctx, deps, params.id, body), {
    limit: 'recordings',
  })
  route(app, transcriptionsApi.stop, (ctx, { params }) => stopTranscription(ctx, deps, params.id))
  route(app, transcriptionsApi.delete, (ctx, { params }) => deleteTranscription(ctx, deps, params.id))
  route(app, transcriptionsApi.ask, (ctx, { params }) => attachTranscript(ctx, deps.storage, params.id), {
    limit: 'transcript-files',
  })
  app.get(RECORDING_AUDIO, async (c) =>
    recordingAudio(await admitUser(c), deps.storage, check(Path, c.req.param()).id, c.req.header('range')),
  )
  app.get(TRANSCRIPTION_EXPORT, async (c) => {
    const ctx = await admitUser(c, 'user', { limit: 'transcript-files' })
    const { format } = check(Format, c.req.query())
    return exportTranscription(ctx, check(Path, c.req.param()).id, format)
  })
}

/** Uploaded bytes must not run as a page. */
export const strictAudioHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  c.res.headers.set('content-security-policy', "default-src 'none'; sandbox")
  c.res.headers.set('cross-origin-resource-policy', 'same-origin')
}
