import { type RefObject, startTransition, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Message } from '#contract/threads.ts'
import { once } from '#web/lib/once.ts'
import { parseAhead } from '#web/ui/markdown/markdown-part.tsx'

/** Rows near the viewport are rendered in full, the others as plain text, which is cheap. */
const MARGIN = '1500px 0px'

interface WaitingRow {
  onNear: () => void
  /** Done before the row is rendered in full. */
  prepare: () => Promise<void>
}

const waiting = new Map<Element, WaitingRow>()
let observer: IntersectionObserver | null = null

function watch(element: Element, row: WaitingRow) {
  observer ??= new IntersectionObserver(reveal, { rootMargin: MARGIN })
  if (waiting.size === 0) addEventListener('beforeprint', revealAll)
  waiting.set(element, row)
  observer.observe(element)
}

function forget(element: Element) {
  near.delete(element)
  observer?.unobserve(element)
  waiting.delete(element)
  if (waiting.size === 0) removeEventListener('beforeprint', revealAll)
}

/** Rows that came near, with their distance from the middle of the window. */
const near = new Map<Element, number>()

function reveal(entries: IntersectionObserverEntry[]) {
  const wasEmpty = near.size === 0
  for (const { isIntersecting, target, boundingClientRect: box } of entries)
    if (isIntersecting) near.set(target, Math.abs((box.top + box.bottom) / 2 - innerHeight / 2))
    else near.delete(target)
  if (wasEmpty && near.size > 0) void revealNext()
}

const FRAME_MS = 16

/** One row after another, the nearest first: all at once would hold up the page, and most are out of view. */
async function revealNext(): Promise<void> {
  const [element] = [...near].sort(([, a], [, b]) => a - b)[0] ?? []
  if (!element) return
  await waiting.get(element)?.prepare()
  near.delete(element)
  startTransition(() => revealOne(element))
  setTimeout(() => void revealNext(), FRAME_MS)
}

function revealOne(element: Element) {
  const row = waiting.get(element)
  forget(element)
  row?.onNear()
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

/** True once the element has been near the viewport and its Markdown is parsed. */
export function useNear(ref: RefObject<Element | null>, isNearAtFirst: boolean, markdown: string): boolean {
  const [isNear, setNear] = useState(() => isNearAtFirst || !canSkipRows())
  useEffect(() => {
    const element = ref.current
    if (isNear || !element) return
    watch(element, { onNear: () => setNear(true), prepare: () => parseAhead([markdown]) })
    return () => forget(element)
  }, [isNear, ref, markdown])
  return isNear
}

/** How much more than the window the rows cover that are rendered in full at once: heights are estimates. */
const COVERED = 1.25

/** The last messages that fill the window, at least a question and its answer. */
export function lastOnScreen<M extends RowContent>(messages: readonly M[]): M[] {
  let height = 0
  let from = messages.length
  for (; from > 0 && (height < innerHeight * COVERED || messages.length - from < 2); from--) {
    const message = messages[from - 1]
    if (message) height += estimateRowHeight(message)
  }
  return messages.slice(from)
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

type RowContent = Pick<Message, 'content' | 'files' | 'thought'>

/** The approximate height of a message, for the scroll bar, until it is laid out. */
export function estimateRowHeight({ content, files, thought }: RowContent): number {
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
