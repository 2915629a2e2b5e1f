import { createStore } from '#web/lib/create-store.ts'

/** Whether the bar that finds words in the open chat is shown. */
export const findIsOpen = createStore(false)

export const openFind = () => findIsOpen.set(true)
export const closeFind = () => findIsOpen.set(false)
