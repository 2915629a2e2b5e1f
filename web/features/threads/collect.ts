/** Gathers what comes in bursts and hands it on together, one batch after another; of each key the last word counts. */
export function collect<Value>(handle: (batch: Map<string, Value>) => Promise<unknown>, pauseMs: number) {
  let waiting = new Map<string, Value>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let isBusy = false

  async function flush() {
    timer = null
    const batch = waiting
    waiting = new Map()
    isBusy = true
    await handle(batch).catch(() => undefined)
    isBusy = false
    if (waiting.size > 0) start()
  }

  function start() {
    if (timer === null && !isBusy) timer = setTimeout(() => void flush(), pauseMs)
  }

  return {
    add(key: string, value: Value) {
      waiting.set(key, value)
      start()
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      waiting.clear()
    },
  }
}
