import { type Config, readConfig } from './config.ts'
import { DISK_FULL_AT_START, isDiskFull, StartError } from './lib/errors.ts'
import { printedError } from './lib/safe-error.ts'
import { openServer } from './server.ts'
import { startMessage } from './start-message.ts'

/** Time for the remaining steps after running answers have finished. */
const CLOSE_MARGIN_MS = 2500
/** Ctrl+C comes from the terminal and once more from npm: within this time it is one signal. */
const SAME_SIGNAL_MS = 1000

let config: Config | undefined
try {
  config = readConfig()
  const server = await openServer(config)
  // Before anything says that the server has started: what reads it may send a signal at once.
  stopOnSignal(server, config.drainSeconds * 1000 + CLOSE_MARGIN_MS)
  server.log.info({ address: server.address }, 'server: started, accepting requests')
  // In production the output is JSON lines, which plain text would break.
  if (!config.production || process.stdout.isTTY) process.stdout.write(startMessage(config, server))
} catch (error) {
  process.stderr.write(`${await sentenceFor(error)}\n`)
  process.exit(1)
}

/** Problems that the operator can fix are shown as a sentence, others with a stack. */
async function sentenceFor(error: unknown): Promise<string> {
  const folder = config?.database.folder
  const explained = folder ? (await import('./db/embedded.ts')).explainEmbedded(error, folder) : error
  if (explained instanceof StartError) return explained.message
  if (isDiskFull(error)) return DISK_FULL_AT_START
  return printedError(error)
}

/**
 * The first signal drains, the second exits at once. After an unhandled error the state is unknown: it is logged,
 * running work may end, nothing new begins, and the exit code is 1.
 */
function stopOnSignal({ close, log }: Awaited<ReturnType<typeof openServer>>, patienceMs: number) {
  let closing: Promise<void> | null = null
  let closingSince = 0
  let code = 0
  const stop = () => {
    if (closing) return
    closingSince = Date.now()
    // Steps that hang, for example without a database, are abandoned: other instances recover what is stored.
    setTimeout(() => {
      log.warn('server: stopping took too long; other instances or the next start recover the rest')
      process.exit(1)
    }, patienceMs).unref()
    closing = close().then(
      () => process.exit(code),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (closing && Date.now() - closingSince > SAME_SIGNAL_MS) process.exit(1)
      stop()
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, `server: ${event}, stopping`)
      code = 1
      stop()
    })
  }
}
