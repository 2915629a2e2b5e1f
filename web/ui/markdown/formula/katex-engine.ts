import katex from 'katex'
import 'katex/dist/katex.min.css'

/**
 * A formula may not contain links, images, classes or styles (`trust`), and the expansion of macros and the size of
 * elements are limited. Cyrillic characters inside a formula are accepted.
 */
const rules = {
  trust: false,
  strict: (code: string) => (code === 'htmlExtension' ? 'error' : 'ignore'),
  throwOnError: true,
  maxExpand: 200,
  maxSize: 20,
} as const

/** Renders a formula into an element; false when KaTeX rejects it. */
export function renderFormula(source: string, isDisplay: boolean, element: HTMLElement): boolean {
  try {
    katex.render(source, element, { ...rules, displayMode: isDisplay })
    return true
  } catch {
    return false
  }
}
