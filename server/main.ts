import { readConfig } from './config.ts'
import { greet } from './greeting.ts'
import { StartError } from './lib/start-error.ts'
import { openServer } from './server.ts'

/** A stop after an error that nobody handled takes no longer than this. */
const CRASH_STOP_MS = 120_000

try {
  const config = readConfig()
  const server = await openServer(config)
  // Among the JSON lines of a service plain text would break whoever parses them.
  if (!config.production || process.stdout.isTTY) greet(config, server.address, server.buildId)
  stopWhenAsked(server)
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : String((error as Error).stack ?? error)}\n`)
  process.exit(1)
}

/**
 * The first signal drains, a second one does not wait. After an error that nobody handled the state is unknown: it is
 * logged, what is running may end, nothing new begins, and the exit says 1.
 */
function stopWhenAsked({ close, log }: Awaited<ReturnType<typeof openServer>>) {
  let closing: Promise<void> | null = null
  let code = 0
  const stop = () => {
    closing ??= close().then(
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
      if (!closing) setTimeout(() => process.exit(1), CRASH_STOP_MS).unref()
      stop()
    })
  }
}
