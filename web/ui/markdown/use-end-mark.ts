import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Marks the element at whose end the next words will appear, for the cursor. Selectors of last children would have the
 * browser compute the styles of a whole tree again whenever anything is appended to it.
 */
export function useEndMark(answer: RefObject<Element | null>, isStreaming: boolean): void {
  const marked = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const end = isStreaming && answer.current ? endOf(answer.current.lastElementChild) : null
    if (end === marked.current) return
    marked.current?.removeAttribute('data-end')
    end?.setAttribute('data-end', '')
    marked.current = end
  })
}

/** Null behind a table, code and other blocks without a line of text at their end. */
function endOf(block: Element | null): Element | null {
  if (!block || block.matches('p, h3, h4, h5, h6')) return block
  if (block.matches('ul, ol, blockquote')) return endOf(block.lastElementChild)
  if (!block.matches('li')) return null
  const inner = [...block.children].findLast((child) => child.matches('p, ul, ol, figure, blockquote'))
  return inner ? endOf(inner) : block
}
