import { afterAll } from 'vitest'

interface Closable {
  close: () => unknown
}

/** Everything that the test files of this worker have opened and not closed, in the order of opening. */
const open = new Set<Closable>()

/**
 * Opens something once for all tests of a file and closes it after them: `const app = await
 * closeAfterTests(startTestApp())`. What was opened last is closed first.
 */
export async function closeAfterTests<T extends Closable>(opening: Promise<T>): Promise<T> {
  const opened = await opening
  open.add(opened)
  afterAll(() => close(opened))
  return opened
}

/**
 * Closes what earlier files have left open: vitest loads a file whose tests are all left out, and then runs none of its
 * hooks. The files after it would meet its servers, its databases and its `fetch`.
 */
export async function closeLeftOpen(): Promise<void> {
  for (const opened of [...open].reverse()) await close(opened)
}

async function close(opened: Closable): Promise<void> {
  if (open.delete(opened)) await opened.close()
}
