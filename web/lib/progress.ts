/** How many product calls are under way; the bar on top shows while it is not zero. */

let running = 0
const listeners = new Set<() => void>()

function change(by: number) {
  running += by
  for (const listener of listeners) listener()
}

export const progress = {
  isBusy: () => running > 0,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  async during<T>(work: Promise<T>): Promise<T> {
    change(1)
    try {
      return await work
    } finally {
      change(-1)
    }
  },
}

export function showsProgress(path: string): boolean {
  return path.startsWith('/api/') && !path.startsWith('/api/auth/')
}
