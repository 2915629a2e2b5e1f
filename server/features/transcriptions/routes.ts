import { transcriptionsApi } from '#contract/transcriptions.ts'
import { bodyOf } from '#server/files/receive.ts'
import { type App, route } from '#server/http/route.ts'
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

export function transcriptionRoutes(app: App, deps: TranscriptionRouteDeps) {
  route(app, transcriptionsApi.list, (ctx, { query }) => listTranscriptions(ctx, query))
  route(app, transcriptionsApi.create, (ctx, _input, c) => createTranscription(ctx, deps, c.req.raw), {
    limit: 'uploads',
  })
  route(app, transcriptionsApi.begin, (ctx, { body }) => beginUpload(ctx, body), { limit: 'uploads' })
  route(app, transcriptionsApi.uploaded, (ctx, { params }) => uploadedSoFar(ctx, params.id))
  route(
    app,
    transcriptionsApi.put,
    (ctx, { params, query }, c) => putChunk(ctx, deps, params.id, query.offset, bodyOf(c.req.raw)),
    { limit: 'uploads' },
  )
  route(app, transcriptionsApi.finish, (ctx, { params, body }) => finishUpload(ctx, deps, params.id, body.most))
  route(app, transcriptionsApi.get, (ctx, { params }) => getTranscription(ctx, params.id))
  route(app, transcriptionsApi.update, (ctx, { params, body }) => changeTranscription(ctx, params.id, body))
  route(app, transcriptionsApi.retry, (ctx, { params, body }) => retryTranscription(ctx, deps, params.id, body), {
    limit: 'uploads',
  })
  route(app, transcriptionsApi.stop, (ctx, { params }) => stopTranscription(ctx, deps, params.id))
  route(app, transcriptionsApi.delete, (ctx, { params }) => deleteTranscription(ctx, deps, params.id))
  route(app, transcriptionsApi.ask, (ctx, { params }) => attachTranscript(ctx, deps.storage, params.id), {
    limit: 'downloads',
  })
  route(app, transcriptionsApi.audio, (ctx, { params }, c) =>
    recordingAudio(ctx, deps.storage, params.id, c.req.header('range')),
  )
  route(app, transcriptionsApi.export, (ctx, { params, query }) => exportTranscription(ctx, params.id, query.format), {
    limit: 'downloads',
  })
}
