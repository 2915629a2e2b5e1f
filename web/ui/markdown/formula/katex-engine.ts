import katex from 'katex'
import 'katex/dist/katex.min.css'

/**
 * Nothing that leads out of a formula: no links, pictures, classes or styles of the author's (`trust`), and limits on
 * how far macros grow and how large anything gets. Cyrillic letters inside a formula are no mistake.
 */
const rules = {
  trust: false,
  strict: (code: string) => (code === 'htmlExtension' ? 'error' : 'ignore'),
  throwOnError: true,
  maxExpand: 200,
  maxSize: 20,
} as const

/** Draws a formula into an element; false when it cannot be understood. */
export function drawFormula(source: string, isDisplay: boolean, element: HTMLElement): boolean {
  try {
    katex.render(source, element, { ...rules, displayMode: isDisplay })
    return true
  } catch {
    return false
  }
}
