import type { Bus } from '#server/realtime/bus.ts'
import type { AskDeps } from './ask.ts'
import { createEngine, type EngineDeps } from './engine.ts'
import { type StreamDeps, serveRemoteReaders } from './stream.ts'

export type AnswersDeps = AskDeps & StreamDeps

interface Answers extends AnswersDeps {
  close: (drainMs?: number) => Promise<void>
}

/** Starts the engine of this process and serves readers on other instances. */
export function openAnswers(deps: EngineDeps & Omit<AskDeps, 'engine'> & { bus: Bus }): Answers {
  const { bus, log, readFiles, findPassages, providers, storage, onOutOfSymbols } = deps
  const engine = createEngine(deps)
  const unserve = serveRemoteReaders(bus, engine)
  return {
    engine,
    bus,
    log,
    readFiles,
    findPassages,
    providers,
    storage,
    ...(onOutOfSymbols && { onOutOfSymbols }),
    onError: (error) => log.error({ err: error }, 'answers: sending an answer to a reader failed'),
    close: async (drainMs) => {
      await engine.close(drainMs)
      unserve()
    },
  }
}
