import { ChatBody, EmbeddingsBody, ImagesBody, ResponsesBody } from '#contract/openai.ts'
import type { App } from '#server/http/route.ts'
import type { KeyDeps } from '../api-keys/find-key.ts'
import { answerChat, type ProgramDeps } from './chat.ts'
import { admitKey, mountPrograms, readBody } from './door.ts'
import { answerEmbeddings } from './embeddings.ts'
import { answerImages } from './images.ts'
import { findModel, listProgramModels, toProgramModel } from './models.ts'
import { answerResponses } from './responses.ts'
import { answerTranscription } from './transcriptions.ts'

export function openAiRoutes(app: App, keys: KeyDeps, deps: ProgramDeps): void {
  mountPrograms(app, (v1) => {
    v1.get('/models', async (c) => {
      const key = await admitKey(c, keys)
      return c.json({ object: 'list', data: await listProgramModels(deps.db, key) })
    })
    // Ids of models may have slashes.
    v1.get('/models/:id{.+}', async (c) => {
      const key = await admitKey(c, keys)
      return c.json(toProgramModel(await findModel(deps.db, key, c.req.param('id'))))
    })
    v1.post('/chat/completions', async (c) => {
      const key = await admitKey(c, keys)
      return answerChat(c, deps, key, await readBody(c, ChatBody))
    })
    v1.post('/responses', async (c) => {
      const key = await admitKey(c, keys)
      return answerResponses(c, deps, key, await readBody(c, ResponsesBody))
    })
    v1.post('/embeddings', async (c) => {
      const key = await admitKey(c, keys)
      return answerEmbeddings(c, deps, key, await readBody(c, EmbeddingsBody))
    })
    v1.post('/images/generations', async (c) => {
      const key = await admitKey(c, keys)
      return answerImages(c, deps, key, await readBody(c, ImagesBody))
    })
    v1.post('/audio/transcriptions', async (c) => {
      const key = await admitKey(c, keys)
      return answerTranscription(c, deps, key)
    })
  })
}
