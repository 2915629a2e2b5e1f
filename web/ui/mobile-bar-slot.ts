import { createStore } from '#web/lib/create-store.ts'

/** The place in the bar of a phone for the title and menu of a screen; null where the window is wide. */
export const mobileBarSlot = createStore<HTMLElement | null>(null)
