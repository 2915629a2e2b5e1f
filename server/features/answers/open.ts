import type { Bus } from '#server/realtime/bus.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { AttachDeps } from './attach.ts'
import type { AskDeps } from './begin.ts'
import type { ReadFiles } from './context.ts'
import type { EngineDeps } from './deps.ts'
import { createEngine } from './engine.ts'
import type { FindPassages } from './passages.ts'
import { serveRemoteReaders } from './remote.ts'

export type AnswersDeps = AskDeps & AttachDeps

interface Answers extends AnswersDeps {
  close: (drainMs?: number) => Promise<void>
}

/** Opens the writing of answers for this process. */
export function openAnswers(
  deps: EngineDeps & {
    bus: Bus
    readFiles: ReadFiles
    findPassages: FindPassages
    storage: Storage
    onOutOfSymbols?: (userId: string) => void
  },
): Answers {
  const { bus, readFiles, findPassages, log, providers, storage } = deps
  const engine = createEngine(deps)
  const unserve = serveRemoteReaders(bus, engine)
  return {
    engine,
    bus,
    readFiles,
    findPassages,
    pictures: { providers, storage },
    ...(deps.onOutOfSymbols && { onOutOfSymbols: deps.onOutOfSymbols }),
    log,
    onError: (error) => log.error({ err: error }, 'a reader of an answer was lost'),
    close: async (drainMs) => {
      await engine.close(drainMs)
      unserve()
    },
  }
}
