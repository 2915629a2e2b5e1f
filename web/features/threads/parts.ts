/** What is heavy and seldom needed; loaded ahead when somebody points at what opens it. */

export const loadThreadMenu = async () => (await import('./thread-menu.tsx')).ThreadMenu
export const loadShareDialog = async () => (await import('./share-dialog.tsx')).ShareDialog

export function preload(load: () => Promise<unknown>) {
  load().catch(() => undefined)
}
