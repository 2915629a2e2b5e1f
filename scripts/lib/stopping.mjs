const POLL_MS = 500

/**
 * Calls `stop` once: on SIGTERM, on SIGINT, or when the parent has died, which npm and its shell do without passing a
 * signal on. The parent counts only under npm: a server may be started by a shell that ends.
 */
export function onStopSignal(stop) {
  const parent = process.ppid
  let isStopping = false
  const ask = (signal) => {
    if (isStopping) return
    isStopping = true
    stop(signal)
  }
  process.on('SIGTERM', ask)
  process.on('SIGINT', ask)
  if (!process.env.npm_lifecycle_event) return
  setInterval(() => {
    if (process.ppid !== parent) ask(null)
  }, POLL_MS).unref()
}
