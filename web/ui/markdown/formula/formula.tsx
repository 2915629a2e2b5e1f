import { useLayoutEffect, useRef, useState } from 'react'
import { useLatePart } from '../late-part.ts'
import { PENDING } from '../parse/dangling-inline.ts'
import { drawSoon, formulaEngine, knownFormula } from './drawn-formulas.ts'
import './formula.css'

interface FormulaProps {
  value: string
  isDisplay: boolean
  /** With lines of its own, not inside a paragraph. */
  isBlock?: boolean
  /** It has no end yet, or never got one: its source is shown. */
  isPending?: boolean
  /** What follows on its last line. */
  rest?: string
}

export function Formula({ value, isDisplay, isBlock = false, isPending = false, rest = '' }: FormulaProps) {
  const source = value.replaceAll(PENDING, '')
  const isWhole = !isPending && source === value
  const inner = isWhole ? <DrawnFormula source={source} isDisplay={isDisplay} /> : <Source>{source}</Source>
  if (!isBlock) return isDisplay ? <span className="formula-display">{inner}</span> : inner
  return (
    <div>
      <div className="formula-display">{inner}</div>
      {rest !== '' && <p>{rest}</p>}
    </div>
  )
}

/** The picture of a formula; its source before KaTeX has come and when it cannot be understood. */
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
