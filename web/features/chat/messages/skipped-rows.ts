import { type RefObject, startTransition, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Message } from '#contract/threads.ts'
import { once } from '#web/lib/once.ts'

/** Rows near the viewport are rendered in full, the others as plain text, which is cheap. */
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

/** As a transition, which renders in slices: they are out of view. */
function reveal(entries: IntersectionObserverEntry[]) {
  startTransition(() => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) revealOne(target)
  })
}

function revealOne(element: Element) {
  const onNear = waiting.get(element)
  forget(element)
  onNear?.()
}

/** Printing needs every row. */
function revealAll() {
  flushSync(() => {
    for (const element of [...waiting.keys()]) revealOne(element)
  })
}

/** Heights that change above the viewport must not move it: only some browsers ensure that. */
export const canSkipRows = once(
  () => CSS.supports('overflow-anchor', 'auto') && CSS.supports('content-visibility', 'auto'),
)

/** True once the element has been near the viewport. */
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

/** The last rows of a chat, more than a screen: they are painted before the others are rendered. */
export const FIRST_ROWS = 20

/** Whether all rows are rendered: at once where the chat does not open at its end. */
export function useAllRows(opensAtEnd: boolean): boolean {
  const [areAll, setAll] = useState(() => !opensAtEnd || !canSkipRows())
  useEffect(() => startTransition(() => setAll(true)), [])
  return areAll
}

const LINE_PX = 25
const COLUMN_SIGNS = 88
const AROUND_PX = 72
const FILES_PX = 56
const THOUGHT_PX = 32

/** The approximate height of a message, for the scroll bar, until it is laid out. */
export function estimateRowHeight({ content, files, thought }: Pick<Message, 'content' | 'files' | 'thought'>): number {
  let lines = 0
  for (let from = 0; from <= content.length; ) {
    const end = content.indexOf('\n', from)
    const length = (end < 0 ? content.length : end) - from
    lines += Math.max(0.5, Math.ceil(length / COLUMN_SIGNS))
    if (end < 0) break
    from = end + 1
  }
  return Math.round(lines * LINE_PX + AROUND_PX + (files.length > 0 ? FILES_PX : 0) + (thought ? THOUGHT_PX : 0))
}
