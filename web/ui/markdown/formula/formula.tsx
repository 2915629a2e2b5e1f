import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLatePart } from '../late-part.ts'
import { PENDING } from '../parse/dangling-inline.ts'
import { drawSoon, formulaEngine, knownFormula } from './drawn-formulas.ts'
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
    // It will be needed soon; `DrawnFormula` tries again.
    if (!isWhole) formulaEngine.load().catch(() => undefined)
  }, [isWhole])
  const inner = isWhole ? <DrawnFormula source={source} isDisplay={isDisplay} /> : <Source>{source}</Source>
  if (!isBlock) return isDisplay ? <span className="formula-display">{inner}</span> : inner
  return (
    <div>
      <div className="formula-display">{inner}</div>
      {rest !== '' && <p>{rest}</p>}
    </div>
  )
}

/** The rendered formula; its source until KaTeX is loaded and when KaTeX rejects it. */
function DrawnFormula({ source, isDisplay }: { source: string; isDisplay: boolean }) {
  const draw = useLatePart(formulaEngine)
  const [, setDrawn] = useState(0)
  const known = knownFormula(source, isDisplay)
  useLayoutEffect(() => {
    if (draw && known === undefined) drawSoon(draw, source, isDisplay, () => setDrawn((count) => count + 1))
  }, [draw, known, source, isDisplay])
  return draw && known ? <Picture key={source} drawn={known} /> : <Source>{source}</Source>
}

function Picture({ drawn }: { drawn: HTMLElement }) {
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    place.current?.replaceChildren(...drawn.cloneNode(true).childNodes)
  }, [drawn])
  return <span ref={place} />
}

function Source({ children }: { children: string }) {
  return <code className="formula-source">{children}</code>
}
