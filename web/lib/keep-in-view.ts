const LOADING_MS = 3000
const actions = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Scrolls to an element, and again while content above it loads; stops at the first user input. */
export function keepInView(element: HTMLElement): () => void {
  const observer = new ResizeObserver(() => element.scrollIntoView())
  const timer = setTimeout(stop, LOADING_MS)
  for (const action of actions) addEventListener(action, stop, { passive: true })
  observer.observe(document.body)

  function stop() {
    clearTimeout(timer)
    observer.disconnect()
    for (const action of actions) removeEventListener(action, stop)
  }
  return stop
}
