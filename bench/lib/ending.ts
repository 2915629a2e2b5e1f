type Closer = () => unknown

const closers: Closer[] = []
let ending: Promise<void> | null = null

/** Registers a cleanup that runs at the end of the bench, also after a failure; the last one runs first. */
export function atEnd(closer: Closer): void {
  closers.push(closer)
}

function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const close of closers.splice(0).reverse()) await Promise.resolve(close()).catch(() => undefined)
  })()
  return ending
}

/** Runs a bench; ends all it started when it is done, fails, is asked to stop or takes too long. */
export async function runBench(limitSeconds: number, bench: () => Promise<boolean>): Promise<void> {
  const leave = (code: number, why?: string) => {
    // Errors caused by the shutdown itself are not reported.
    if (why && !ending) console.error(why)
    void endAll().then(() => process.exit(code))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => leave(130))
  process.on('uncaughtException', (error) => leave(1, error.stack))
  setTimeout(() => leave(1, `Измерение не уложилось в ${limitSeconds} с`), limitSeconds * 1000).unref()
  try {
    leave((await bench()) ? 0 : 1)
  } catch (error) {
    leave(1, error instanceof Error ? error.stack : String(error))
  }
}
