import { ConfigError, readConfig } from './config.ts'
import { greet } from './greeting.ts'
import { openServer } from './server.ts'

try {
  const config = readConfig()
  const server = await openServer(config)
  // Among the JSON lines of a service plain text would break whoever parses them.
  if (!config.production || process.stdout.isTTY) greet(config, server.address, server.buildId)
  stopOnSignal(server.close)
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String((error as Error).stack ?? error)}\n`)
  process.exit(1)
}

/** The first signal drains, a second one does not wait. */
function stopOnSignal(close: () => Promise<void>) {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
}
