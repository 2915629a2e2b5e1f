import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLazy } from '#web/lib/lazy.tsx'
import { PENDING } from '../parse/dangling-inline.ts'
import { cachedFormula, formulaEngine, renderSoon } from './rendered-formulas.ts'
import './formula.css'

interface FormulaProps {
  value: string
  isDisplay: boolean
  /** A block of its own, not inside a paragraph. */
  isBlock?: boolean
  /** It is not closed: its source is shown. */
  isPending?: boolean
  /** The text after it on its last line. */
  rest?: string
}

export function Formula({ value, isDisplay, isBlock = false, isPending = false, rest = '' }: FormulaProps) {
  const source = value.replaceAll(PENDING, '')
  const isWhole = !isPending && source === value
  useEffect(() => {
    // It will be needed soon; `RenderedFormula` tries again.
    if (!isWhole) formulaEngine.load().catch(() => undefined)
  }, [isWhole])
  const inner = isWhole ? <RenderedFormula source={source} isDisplay={isDisplay} /> : <Source>{source}</Source>
  if (!isBlock) return isDisplay ? <span className="formula-display">{inner}</span> : inner
  return (
    <div>
      <div className="formula-display">{inner}</div>
      {rest !== '' && <p>{rest}</p>}
    </div>
  )
}

/** The rendered formula; its source until KaTeX is loaded and when KaTeX rejects it. */
function RenderedFormula({ source, isDisplay }: { source: string; isDisplay: boolean }) {
  const render = useLazy(formulaEngine)
  const [, setRendered] = useState(0)
  const known = cachedFormula(source, isDisplay)
  useLayoutEffect(() => {
    if (render && known === undefined) renderSoon(render, source, isDisplay, () => setRendered((count) => count + 1))
  }, [render, known, source, isDisplay])
  return render && known ? <ClonedFormula key={source} rendered={known} /> : <Source>{source}</Source>
}

function ClonedFormula({ rendered }: { rendered: HTMLElement }) {
  const container = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    container.current?.replaceChildren(...rendered.cloneNode(true).childNodes)
  }, [rendered])
  return <span ref={container} />
}

function Source({ children }: { children: string }) {
  return <code className="formula-source">{children}</code>
}
