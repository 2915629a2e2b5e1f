import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'
import { highlightLater } from '../code/highlight.ts'
import { languages } from '../code/languages.ts'
import { formulaEngine } from '../formula/drawn-formulas.ts'
import { Markdown } from '../markdown.tsx'

/** An answer in a page without a screen. */
export interface Shown {
  element: HTMLElement
  show: (text: string, isStreaming?: boolean) => void
  remove: () => void
}

export function openAnswer(): Shown {
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

/**
 * Loads what answers load when they need it, and lets the page be idle always: what is drawn late is then there a few
 * turns later.
 */
export async function loadParts(): Promise<void> {
  vi.stubGlobal('requestIdleCallback', (work: () => void) => queueMicrotask(work))
  const coloured = Object.keys(languages).map((name) => new Promise<unknown>((done) => highlightLater('', name, done)))
  await Promise.all([formulaEngine.load(), ...coloured])
}

const QUIET_MS = 150

/** Waits until nothing comes any more: formulas and colours are there. */
export async function settle({ element }: Shown): Promise<void> {
  for (;;) {
    const html = element.innerHTML
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    if (html === element.innerHTML) return
  }
}

/** Names of places differ from one answer of a page to the next. */
export const htmlOf = ({ element }: Shown) => element.innerHTML.replaceAll(/_r_\w+_/g, 'id')
