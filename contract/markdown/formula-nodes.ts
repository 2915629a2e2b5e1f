import type { Literal } from 'mdast'
import type { Extension } from 'mdast-util-from-markdown'
import { formulaFlow } from './formula-flow.ts'
import { findCloser, openFormula } from './formula-lines.ts'
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
  const [first = '', ...more] = raw.split('\n')
  const { opener = '', closer = '', rest: begun = '' } = openFormula(first) ?? {}
  // An environment is a part of its formula, other delimiters are not.
  const [head, tail] = closer.startsWith('\\end') ? [opener, closer] : ['', '']
  const lines = [begun, ...more]
  for (const [i, line] of lines.entries()) {
    const found = findCloser(line, closer)
    if (!found) continue
    const inner = [...lines.slice(0, i), line.slice(0, found.at)].join('\n')
    const rest = [line.slice(found.at + found.size), ...lines.slice(i + 1)].join('\n').trim()
    return { type: 'formulaBlock', value: (head + inner + tail).trim(), isClosed: true, rest }
  }
  return { type: 'formulaBlock', value: (head + lines.join('\n')).trim(), isClosed: false, rest: '' }
}
