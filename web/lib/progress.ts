import { createStore } from './create-store.ts'

/** Product calls under way; the bar on top is shown while there are any. */
const running = createStore(0)

export const progress = {
  isBusy: () => running.get() > 0,
  subscribe: running.subscribe,
  async during<T>(work: Promise<T>): Promise<T> {
    running.set(running.get() + 1)
    try {
      return await work
    } finally {
      running.set(running.get() - 1)
    }
  },
}

export function showsProgress(path: string): boolean {
  return path.startsWith('/api/') && !path.startsWith('/api/auth/')
}
