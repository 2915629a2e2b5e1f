/** Whether a toast was shown: the toaster is loaded and mounted only then, and shows the toasts it missed. */

let isWanted = false
const listeners = new Set<() => void>()

function set(value: boolean) {
  if (isWanted === value) return
  isWanted = value
  for (const listener of listeners) listener()
}

export const toasterHost = {
  isWanted: () => isWanted,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  want: () => set(true),
  /** It could not be loaded: the next one who wants it tries again. */
  giveUp: () => set(false),
}
