import type { Bus } from '#server/realtime/bus.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { AttachWorld } from './attach.ts'
import type { AskWorld } from './begin.ts'
import { createEngine } from './engine.ts'
import type { FindExcerpts } from './excerpts.ts'
import type { ReadFiles } from './material.ts'
import { serveRemoteReaders } from './remote.ts'
import type { EngineWorld } from './world.ts'

export type AnswersWorld = AskWorld & AttachWorld

interface Answers extends AnswersWorld {
  close: (drainMs?: number) => Promise<void>
}

/** Opens the writing of answers for this process. */
export function openAnswers(
  world: EngineWorld & {
    bus: Bus
    readFiles: ReadFiles
    findExcerpts: FindExcerpts
    storage: Storage
    onOutOfSymbols?: (userId: string) => void
  },
): Answers {
  const { bus, readFiles, findExcerpts, log, providers, storage } = world
  const engine = createEngine(world)
  const unserve = serveRemoteReaders(bus, engine)
  return {
    engine,
    bus,
    readFiles,
    findExcerpts,
    pictures: { providers, storage },
    ...(world.onOutOfSymbols && { onOutOfSymbols: world.onOutOfSymbols }),
    log,
    onError: (error) => log.error({ err: error }, 'a reader of an answer was lost'),
    close: async (drainMs) => {
      await engine.close(drainMs)
      unserve()
    },
  }
}
