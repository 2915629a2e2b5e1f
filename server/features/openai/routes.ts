import type { App } from '#server/http/route.ts'
import type { KeyDeps } from '../api-keys/find-key.ts'
import { answerChat, type ProgramDeps } from './chat.ts'
import { admitKey, answerCall, mountPrograms, type ProgramCall } from './door.ts'
import { answerEmbeddings } from './embeddings.ts'
import { answerImages } from './images.ts'
import { findModel, listProgramModels, toProgramModel } from './models.ts'
import type { RepeatDeps } from './repeats.ts'
import { answerResponses } from './responses.ts'
import { answerTranscription } from './transcriptions.ts'

type OpenAiDeps = ProgramDeps & RepeatDeps & { keys: KeyDeps }

const posts: Record<string, (call: ProgramCall, deps: ProgramDeps) => Promise<Response>> = {
  '/chat/completions': answerChat,
  '/responses': answerResponses,
  '/embeddings': answerEmbeddings,
  '/images/generations': answerImages,
  '/audio/transcriptions': answerTranscription,
}

export function openAiRoutes(app: App, deps: OpenAiDeps): void {
  const { db, keys } = deps
  mountPrograms(app, (v1) => {
    v1.get('/models', async (c) => {
      const key = await admitKey(c, keys)
      return c.json({ object: 'list', data: await listProgramModels(db, key) })
    })
    // Ids of models may have slashes.
    v1.get('/models/:id{.+}', async (c) => {
      const key = await admitKey(c, keys)
      return c.json(toProgramModel(await findModel(db, key, c.req.param('id'))))
    })
    for (const [path, answer] of Object.entries(posts))
      v1.post(path, (c) => answerCall(c, deps, (call) => answer(call, deps)))
  })
}
