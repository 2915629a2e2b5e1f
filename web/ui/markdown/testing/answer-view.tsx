import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'
import { highlightLater } from '../code/highlight.ts'
import { languages } from '../code/languages.ts'
import { formulaEngine } from '../formula/rendered-formulas.ts'
import { Markdown } from '../markdown.tsx'

export interface AnswerView {
  element: HTMLElement
  show: (text: string, isStreaming?: boolean) => void
  remove: () => void
}

export function openAnswer(): AnswerView {
  const element = document.createElement('div')
  document.body.append(element)
  const root = createRoot(element)
  return {
    element,
    show: (text, isStreaming = false) =>
      flushSync(() => root.render(<Markdown text={text} isStreaming={isStreaming} />)),
    remove() {
      root.unmount()
      element.remove()
    },
  }
}

/** Loads the parts that answers load on demand, and makes the page always idle, so that late work runs at once. */
export async function loadParts(): Promise<void> {
  vi.stubGlobal('requestIdleCallback', (work: () => void) => queueMicrotask(work))
  const coloured = Object.keys(languages).map((name) => new Promise<unknown>((done) => highlightLater('', name, done)))
  await Promise.all([formulaEngine.load(), ...coloured])
}

const QUIET_MS = 150

/** Waits until the HTML no longer changes: formulas and colours have been rendered. */
export async function waitUntilQuiet({ element }: AnswerView): Promise<void> {
  for (;;) {
    const html = element.innerHTML
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    if (html === element.innerHTML) return
  }
}

/**
 * Removes differences that do not show: the ids of footnotes, which are unique to an answer, and the order of
 * attributes.
 */
export function htmlOf({ element }: AnswerView): string {
  const copy = element.cloneNode(true) as Element
  for (const each of copy.querySelectorAll('*')) {
    const sorted = [...each.attributes].sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const attribute of sorted) each.removeAttributeNode(attribute)
    for (const attribute of sorted) each.setAttributeNode(attribute)
  }
  return copy.innerHTML.replaceAll(/_r_\w+_/g, 'id')
}
