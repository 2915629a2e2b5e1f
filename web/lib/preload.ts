/** The specification's «route preload concurrency». */
const AT_ONCE = 4

type Load = () => Promise<unknown>

/** Loads things ahead of need, each once, a few at a time; what failed may be asked for again. */
export function createPreloadQueue(limit = AT_ONCE) {
  const known = new Set<string>()
  const waiting: [key: string, load: Load][] = []
  let running = 0

  async function run(key: string, load: Load) {
    running += 1
    try {
      await load()
    } catch {
      known.delete(key)
    }
    running -= 1
    startNext()
  }

  function startNext() {
    while (running < limit) {
      const next = waiting.shift()
      if (!next) return
      void run(...next)
    }
  }

  return function preload(key: string, load: Load) {
    if (known.has(key)) return
    known.add(key)
    waiting.push([key, load])
    startNext()
  }
}
