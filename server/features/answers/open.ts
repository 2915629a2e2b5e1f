import type { Bus } from '#server/realtime/bus.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { AttachWorld } from './attach.ts'
import type { AskWorld } from './begin.ts'
import { createEngine } from './engine.ts'
import type { FindExcerpts } from './excerpts.ts'
import type { ReadFiles } from './material.ts'
import { recoverAnswers } from './recover.ts'
import { serveRemoteReaders } from './remote.ts'
import type { EngineWorld } from './world.ts'

export type AnswersWorld = AskWorld & AttachWorld

interface Answers extends AnswersWorld {
  close: (lastWordsMs?: number) => Promise<void>
}

/** Opens the writing of answers for this process. */
export async function openAnswers(
  world: EngineWorld & {
    bus: Bus
    readFiles: ReadFiles
    findExcerpts: FindExcerpts
    storage: Storage
    isAlone: boolean
  },
): Promise<Answers> {
  const { bus, readFiles, findExcerpts, log, providers, storage } = world
  // Nobody else works on an embedded database: whatever is unfinished there was left by a former life of this process.
  await recoverAnswers(world, world.isAlone ? 0 : undefined)
  const engine = createEngine(world)
  const unserve = serveRemoteReaders(bus, engine)
  return {
    engine,
    bus,
    readFiles,
    findExcerpts,
    pictures: { providers, storage },
    onError: (error) => log.error({ err: error }, 'a reader of an answer was lost'),
    close: async (lastWordsMs) => {
      await engine.close(lastWordsMs)
      unserve()
    },
  }
}
