import { type Config, readConfig } from './config.ts'
import { explainEmbedded } from './db/embedded.ts'
import { greet } from './greeting.ts'
import { DISK_FULL_AT_START, isDiskFull } from './lib/disk-full.ts'
import { StartError } from './lib/start-error.ts'
import { openServer } from './server.ts'

/** What is left to do when running answers have had their time. */
const LAST_MS = 2500

let config: Config | undefined
try {
  config = readConfig()
  const server = await openServer(config)
  // Among the JSON lines of a service plain text would break whoever parses them.
  if (!config.production || process.stdout.isTTY) greet(config, server.address, server.buildId)
  stopWhenAsked(server, config.drainSeconds * 1000 + LAST_MS)
} catch (error) {
  process.stderr.write(`${sentenceFor(error)}\n`)
  process.exit(1)
}

/** What its owner can do something about is said in a sentence; anything else is shown whole. */
function sentenceFor(error: unknown): string {
  const database = config?.database
  const told = database?.folder ? explainEmbedded(error, database.folder) : error
  if (told instanceof StartError) return told.message
  if (isDiskFull(error)) return DISK_FULL_AT_START
  return String((error as Error).stack ?? error)
}

/**
 * The first signal drains, a second one does not wait. After an error that nobody handled the state is unknown: it is
 * logged, what is running may end, nothing new begins, and the exit says 1.
 */
function stopWhenAsked({ close, log }: Awaited<ReturnType<typeof openServer>>, patienceMs: number) {
  let closing: Promise<void> | null = null
  let code = 0
  const stop = () => {
    if (closing) return
    // What hangs, for example a database that is away, is left: the others recover what is stored.
    setTimeout(() => {
      log.warn('stopping took too long; what is left is recovered by others or by the next start')
      process.exit(1)
    }, patienceMs).unref()
    closing = close().then(
      () => process.exit(code),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(1)
      stop()
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, `${event}: stopping`)
      code = 1
      stop()
    })
  }
}
