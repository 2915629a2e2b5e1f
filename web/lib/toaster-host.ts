/** Whether anybody has notified yet: the toaster is loaded and mounted only then, and shows what it missed. */

let isWanted = false
const listeners = new Set<() => void>()

export const toasterHost = {
  isWanted: () => isWanted,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  want() {
    if (isWanted) return
    isWanted = true
    for (const listener of listeners) listener()
  },
}
