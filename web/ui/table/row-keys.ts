import type { KeyboardEvent } from 'react'

const OPENER = '[data-row-opener]'

/** From a row's name the arrows lead to the names of the others, Home and End to the first and the last. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement) || !event.target.matches(OPENER)) return
  const openers = [...event.currentTarget.querySelectorAll<HTMLElement>(OPENER)]
  const next = openers[placeAfter(event.key, openers.indexOf(event.target), openers.length)]
  if (!next || next === event.target) return
  event.preventDefault()
  next.focus()
}

function placeAfter(key: string, now: number, count: number): number {
  if (key === 'ArrowDown') return now + 1
  if (key === 'ArrowUp') return now - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : now
}

/** A click anywhere on a row opens it, unless it was meant for something inside or ended a selection of text. */
export function openByClick({ target, currentTarget }: { target: EventTarget; currentTarget: HTMLElement }): void {
  // A menu of the row hangs elsewhere in the document, and its clicks come here all the same.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return
  if (target.closest('a, button, input, select, label, summary')) return
  if (getSelection()?.toString()) return
  currentTarget.querySelector<HTMLElement>(OPENER)?.click()
}
