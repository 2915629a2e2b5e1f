import { ImagesBody, MAX_PROGRAM_BYTES, MAX_PROGRAM_TEXT_BYTES } from '#contract/openai.ts'
import { mostBytesOf } from '#server/http/body-size.ts'
import type { App } from '#server/http/route.ts'
import type { KeyDeps } from '../api-keys/find-key.ts'
import { answerChat, type ProgramDeps } from './chat.ts'
import { admitKey, answerCall, mountPrograms, type ProgramCall } from './door.ts'
import { answerEmbeddings } from './embeddings.ts'
import { answerImages } from './images.ts'
import { findModel, listProgramModels, toProgramModel } from './models.ts'
import { answerResponses } from './responses.ts'
import { answerTranscription } from './transcriptions.ts'

type OpenAiDeps = ProgramDeps & { keys: KeyDeps }

interface Post {
  path: string
  answer: (call: ProgramCall, deps: ProgramDeps) => Promise<Response>
  mostBytes: number
}

const posts: Post[] = [
  { path: '/chat/completions', answer: answerChat, mostBytes: MAX_PROGRAM_BYTES },
  { path: '/responses', answer: answerResponses, mostBytes: MAX_PROGRAM_BYTES },
  { path: '/embeddings', answer: answerEmbeddings, mostBytes: MAX_PROGRAM_TEXT_BYTES },
  { path: '/images/generations', answer: answerImages, mostBytes: mostBytesOf(ImagesBody) },
  { path: '/audio/transcriptions', answer: answerTranscription, mostBytes: MAX_PROGRAM_BYTES },
]

export function openAiRoutes(app: App, deps: OpenAiDeps): void {
  const { db, keys } = deps
  mountPrograms(app, (v1) => {
    // Some programs end every address with a slash.
    v1.on('GET', ['/models', '/models/'], async (c) => {
      const key = await admitKey(c, keys)
      return c.json({ object: 'list', data: await listProgramModels(db, key) })
    })
    // Ids of models may have slashes.
    v1.get('/models/:id{.+}', async (c) => {
      const key = await admitKey(c, keys)
      return c.json(toProgramModel(await findModel(db, key, c.req.param('id'))))
    })
    for (const { path, answer, mostBytes } of posts)
      v1.on('POST', [path, `${path}/`], (c) => answerCall(c, deps, { answer: (call) => answer(call, deps), mostBytes }))
  })
}
