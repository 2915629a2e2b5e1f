import type { Limits } from '#server/http/limits.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { WebDeps } from '../web-search/deps.ts'
import type { ReadFiles } from './context.ts'
import { createEngine, type EngineDeps } from './engine.ts'
import type { FindPassages } from './prompt.ts'
import { type StreamDeps, serveRemoteReaders } from './stream.ts'

export interface AnswersDeps extends StreamDeps {
  providers: Providers
  storage: Storage
  readFiles: ReadFiles
  findPassages: FindPassages
  web: WebDeps
  limits: Limits
  /** Called when a user has no symbols left: the webhook event of a renewal may have been lost. */
  onOutOfSymbols?: (userId: string) => void
}

interface Answers extends AnswersDeps {
  close: (drainMs?: number) => Promise<void>
}

/** Starts the engine of this process and serves readers on other instances. */
export function openAnswers(deps: EngineDeps & Omit<AnswersDeps, 'engine' | 'onError'>): Answers {
  const { bus, log, readFiles, findPassages, providers, storage, web, limits, onOutOfSymbols } = deps
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
    web,
    limits,
    ...(onOutOfSymbols && { onOutOfSymbols }),
    onError: (error) => log.error({ err: error }, 'answers: sending an answer to a reader failed'),
    close: async (drainMs) => {
      await engine.close(drainMs)
      unserve()
    },
  }
}
