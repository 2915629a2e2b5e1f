import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Rows within a screen or two of the view are drawn in full, the others as plain text, which is cheap to have. */
const MARGIN = '1500px 0px'

const waiting = new Map<Element, () => void>()
let observer: IntersectionObserver | null = null

function watch(element: Element, onNear: () => void) {
  observer ??= new IntersectionObserver(reveal, { rootMargin: MARGIN })
  if (waiting.size === 0) addEventListener('beforeprint', revealAll)
  waiting.set(element, onNear)
  observer.observe(element)
}

function forget(element: Element) {
  observer?.unobserve(element)
  waiting.delete(element)
  if (waiting.size === 0) removeEventListener('beforeprint', revealAll)
}

function reveal(entries: IntersectionObserverEntry[]) {
  for (const { isIntersecting, target } of entries) if (isIntersecting) revealOne(target)
}

function revealOne(element: Element) {
  const onNear = waiting.get(element)
  forget(element)
  onNear?.()
}

/** On paper everything is near. */
function revealAll() {
  flushSync(() => {
    for (const element of [...waiting.keys()]) revealOne(element)
  })
}

/** Sizes that settle above the view must not move it, and only some browsers see to that. */
export const canSkipRows = () => CSS.supports('overflow-anchor', 'auto') && CSS.supports('content-visibility', 'auto')

/** Whether an element is, or has once been, near the view. */
export function useNear(ref: RefObject<Element | null>, isNearAtFirst: boolean): boolean {
  const [isNear, setNear] = useState(() => isNearAtFirst || !canSkipRows())
  useEffect(() => {
    const element = ref.current
    if (isNear || !element) return
    watch(element, () => setNear(true))
    return () => forget(element)
  }, [isNear, ref])
  return isNear
}
