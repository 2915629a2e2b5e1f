import type { KeyboardEvent } from 'react'

const OPENER = '[data-row-opener]'

/** Arrow keys move the focus between row names, Home and End to the first and last. */
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

/** A click anywhere on a row opens it, except on a control inside or at the end of a text selection. */
export function openByClick({ target, currentTarget }: { target: EventTarget; currentTarget: HTMLElement }): void {
  // The row menu is rendered in a portal, but React bubbles its clicks to the row.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return
  if (target.closest('a, button, input, select, label, summary')) return
  if (getSelection()?.toString()) return
  currentTarget.querySelector<HTMLElement>(OPENER)?.click()
}
