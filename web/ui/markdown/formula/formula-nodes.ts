import type { Literal } from 'mdast'
import type { Extension } from 'mdast-util-from-markdown'
import { formulaFlow } from './formula-flow.ts'
import { bracketText, dollarText } from './formula-text.ts'
import { BACKSLASH, DOLLAR, type SyntaxExtension } from './syntax.ts'

export interface Formula extends Literal {
  type: 'formula'
  isDisplay: boolean
}

export interface FormulaBlock extends Literal {
  type: 'formulaBlock'
  isClosed: boolean
  /** The text after the closing delimiter, usually a full stop. */
  rest: string
}

declare module 'mdast' {
  interface PhrasingContentMap {
    formula: Formula
  }
  interface RootContentMap {
    formula: Formula
    formulaBlock: FormulaBlock
  }
  interface BlockContentMap {
    formulaBlock: FormulaBlock
  }
}

export const formulaSyntax: SyntaxExtension = {
  flow: { [DOLLAR]: formulaFlow, [BACKSLASH]: formulaFlow },
  text: { [DOLLAR]: dollarText, [BACKSLASH]: bracketText },
}

export const formulaFromMarkdown: Extension = {
  exit: {
    formulaText(token) {
      this.enter(readFormula(this.sliceSerialize(token)), token)
      this.exit(token)
    },
    formulaFlow(token) {
      this.enter(readFormulaBlock(this.sliceSerialize(token)), token)
      this.exit(token)
    },
  },
}

function readFormula(raw: string): Formula {
  const size = raw.startsWith('$') && !raw.startsWith('$$') ? 1 : 2
  const isDisplay = raw.startsWith('$$') || raw.startsWith('\\[')
  return { type: 'formula', value: raw.slice(size, -size).trim(), isDisplay }
}

function readFormulaBlock(raw: string): FormulaBlock {
  const inner = raw.slice(2)
  const closer = raw.startsWith('$$') ? '$$' : '\\]'
  const at = inner.indexOf(closer)
  const isClosed = at >= 0
  const value = (isClosed ? inner.slice(0, at) : inner).trim()
  return { type: 'formulaBlock', value, isClosed, rest: isClosed ? inner.slice(at + 2).trim() : '' }
}
