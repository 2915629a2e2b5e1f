/** Runs when the browser has nothing else to do, at the latest after a second. Safari has no requestIdleCallback. */
export function onIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: 1000 })
  else setTimeout(work, 30)
}
