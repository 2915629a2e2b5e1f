import { findCloser, isProse, type OpenFormula, openFormula } from './formula-lines.ts'
import {
  type Code,
  type Construct,
  type Effects,
  isLineEnd,
  type State,
  type TokenizeContext,
  takeLines,
  textBetween,
} from './syntax.ts'

/**
 * A block formula: from `$$`, `\[` or `\begin{align}` at the start of a line to the line that closes it. It ends before
 * a line that is prose, so one that was never closed does not swallow the rest of the answer.
 */
export const formulaFlow: Construct = { name: 'formulaFlow', concrete: true, tokenize }

function tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const self = this
  const lines = takeLines(effects)
  const from = self.now()
  let formula: OpenFormula | null = null
  let lineText = ''
  let hasContent = false

  return function start(code) {
    effects.enter('formulaFlow')
    return firstLine(code)
  }

  function firstLine(code: Code): State | undefined {
    if (code !== null && !isLineEnd(code)) {
      lines.take(code)
      return firstLine
    }
    formula = openFormula(textBetween(self, from, self.now()))
    if (!formula) return nok(code)
    hasContent = formula.kind !== 'fence'
    return formula.kind === 'whole' || self.interrupt ? after(code) : lineEnd(code)
  }

  function lineEnd(code: Code): State | undefined {
    lines.end()
    return code === null ? after(code) : effects.attempt(nextLine(), afterLine, stopped)(code)
  }

  function afterLine(code: Code): State | undefined {
    if (formula && findCloser(lineText, formula.closer)) return after(code)
    if (lineText.trim() !== '') hasContent = true
    return lineEnd(code)
  }

  /** A `$$` with nothing but prose behind it is text. */
  function stopped(code: Code): State | undefined {
    return hasContent ? after(code) : nok(code)
  }

  function after(code: Code): State | undefined {
    lines.end()
    effects.exit('formulaFlow')
    return ok(code)
  }

  /** Consumes a line end and the line behind it, unless that is lazy (outside of the container) or not of a formula. */
  function nextLine(): Construct {
    return {
      partial: true,
      tokenize(inner, done, stop) {
        const context = this
        const taken = takeLines(inner)
        let start = context.now()
        return (code) => {
          taken.take(code)
          return lineStart
        }

        function lineStart(code: Code): State | undefined {
          start = context.now()
          return context.parser.lazy[start.line] ? stop(code) : line(code)
        }

        function line(code: Code): State | undefined {
          if (code !== null && !isLineEnd(code)) {
            taken.take(code)
            return line
          }
          taken.end()
          lineText = textBetween(context, start, context.now())
          return mayContinue(lineText) ? done(code) : stop(code)
        }
      },
    }
  }

  function mayContinue(line: string): boolean {
    if (!formula || findCloser(line, formula.closer)) return true
    return line.trim() === '' ? formula.kind === 'fence' : !isProse(line)
  }
}
