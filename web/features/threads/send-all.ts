const AT_ONCE = 4

interface Outcomes<Item, Answer> {
  onDone: (answer: Answer) => unknown
  onFailed: (item: Item) => void
}

/** Sends one call for each thing, a few at a time; each has its own outcome, and the first failure is thrown at the end. */
export async function sendAll<Item, Answer>(
  items: readonly Item[],
  send: (item: Item) => Promise<Answer>,
  { onDone, onFailed }: Outcomes<Item, Answer>,
): Promise<void> {
  const waiting = [...items]
  const failures: unknown[] = []
  async function work() {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await onDone(await send(item))
      } catch (failed) {
        failures.push(failed)
        onFailed(item)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (failures.length > 0) throw failures[0]
}
