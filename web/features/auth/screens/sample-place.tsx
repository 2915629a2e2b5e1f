import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { shellPart } from './sign-in-shell.ts'

const SampleAnswer = lazyComponent(
  async () => (await import('#web/features/chat/sample/sample-answer.tsx')).SampleAnswer,
)

const PART = 'sample'
/** Taken out of the shell once; it stays for later visits of this page. */
let fromShell: Element | null = null

function takeFromShell(): Element | null {
  fromShell ??= shellPart(PART)
  return fromShell
}

/**
 * The sample answer is drawn by the build with the components of the chat and comes with the page as HTML. The page
 * takes the element over, so it need not load those components. Only a page without a shell loads them.
 */
export function SamplePlace({ children }: { children?: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isDrawn] = useState(() => children !== undefined || takeFromShell() !== null)
  useLayoutEffect(() => {
    if (fromShell) place.current?.append(fromShell)
  }, [])
  return (
    <div ref={place} className="min-w-0 frame:col-start-1">
      {children && <div data-part={PART}>{children}</div>}
      {!isDrawn && (
        <Suspense fallback={null}>
          <SampleAnswer />
        </Suspense>
      )}
    </div>
  )
}
