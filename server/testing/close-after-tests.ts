import { afterAll } from 'vitest'

/**
 * Opens something once for all tests of a file and closes it after them: `const app = await
 * closeAfterTests(startTestApp())`. What was opened last is closed first.
 */
export async function closeAfterTests<T extends { close: () => unknown }>(opening: Promise<T>): Promise<T> {
  const opened = await opening
  afterAll(async () => {
    await opened.close()
  })
  return opened
}
