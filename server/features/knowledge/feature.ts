import type { Feature } from '../feature.ts'
import { type KnowledgeDeps, openKnowledge } from './deps.ts'
import { knowledgeJobs } from './embedding.ts'

export const knowledge: Feature<KnowledgeDeps> = {
  name: 'knowledge',
  open: async ({ db, providers, log, settings }) => {
    const handle = await openKnowledge(db, providers, log, settings.embeddingFreeSymbols)
    return { handle, jobs: knowledgeJobs(db, handle) }
  },
}
