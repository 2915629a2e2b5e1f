import { isBracketLine, isFormula } from './math-or-money.ts'
import {
  type Code,
  type Construct,
  DOLLAR,
  type Effects,
  isLineEnd,
  OPEN_BRACKET,
  type State,
  type TokenizeContext,
  takeLines,
  textBetween,
} from './syntax.ts'

/**
 * A block formula: from `$$` or `\[` at the start of a line to the line with `$$` or `\]`. Only the first line decides
 * whether it is one, so that later text never changes how earlier text was parsed.
 */
export const formulaFlow: Construct = { name: 'formulaFlow', concrete: true, tokenize }

const nextLine = overLineEnd(true)
const nextFullLine = overLineEnd(false)

type FirstLine = 'whole' | 'fence' | 'run' | 'none'

const isRest = (text: string) => /^[\s.,;:!?)]*$/.test(text)
const isWhole = (content: string, closer: string) => (closer === '$$' ? isFormula(content) : isBracketLine(content))

/** `run` begins on the line of its delimiter and ends with the paragraph at most; `fence` may contain blank lines. */
function readFirstLine(line: string, closer: string): FirstLine {
  const at = line.indexOf(closer)
  if (at >= 0) return isRest(line.slice(at + 2)) && isWhole(line.slice(0, at), closer) ? 'whole' : 'none'
  if (line.trim() === '') return closer === '$$' ? 'fence' : 'run'
  return /[\\^_{}=]/.test(line) ? 'run' : 'none'
}

function tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const self = this
  const lines = takeLines(effects)
  let closer = '$$'
  let from = self.now()
  let next = nextLine

  return function start(code) {
    effects.enter('formulaFlow')
    lines.take(code)
    closer = code === DOLLAR ? '$$' : '\\]'
    return second
  }

  function second(code: Code): State | undefined {
    if (code !== (closer === '$$' ? DOLLAR : OPEN_BRACKET)) return nok(code)
    lines.take(code)
    return first
  }

  function first(code: Code): State | undefined {
    if (code === DOLLAR && closer === '$$') return nok(code)
    from = self.now()
    return firstLine(code)
  }

  function firstLine(code: Code): State | undefined {
    if (code !== null && !isLineEnd(code)) {
      lines.take(code)
      return firstLine
    }
    const kind = readFirstLine(textBetween(self, from, self.now()), closer)
    if (kind === 'none') return nok(code)
    if (kind === 'whole' || self.interrupt) return after(code)
    if (kind === 'run') next = nextFullLine
    return lineEnd(code)
  }

  function lineEnd(code: Code): State | undefined {
    lines.end()
    return code === null ? after(code) : effects.attempt(next, lineStart, after)(code)
  }

  function lineStart(code: Code): State | undefined {
    from = self.now()
    return line(code)
  }

  function line(code: Code): State | undefined {
    if (code !== null && !isLineEnd(code)) {
      lines.take(code)
      return line
    }
    const text = textBetween(self, from, self.now())
    return text.includes(closer) ? after(code) : lineEnd(code)
  }

  function after(code: Code): State | undefined {
    lines.end()
    effects.exit('formulaFlow')
    return ok(code)
  }
}

/** Consumes a line end, unless the next line is lazy (outside of the container) or blank where it may not be. */
function overLineEnd(mayBeBlank: boolean): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      const self = this
      return function start(code) {
        effects.enter('lineEnding')
        effects.consume(code)
        effects.exit('lineEnding')
        return lineStart
      }

      function lineStart(code: Code): State | undefined {
        if (self.parser.lazy[self.now().line]) return nok(code)
        if (mayBeBlank || !isSpace(code)) return checkBlank(code)
        effects.enter('linePrefix')
        return space(code)
      }

      function space(code: Code): State | undefined {
        if (isSpace(code)) {
          effects.consume(code)
          return space
        }
        effects.exit('linePrefix')
        return checkBlank(code)
      }

      function checkBlank(code: Code): State | undefined {
        return !mayBeBlank && (code === null || isLineEnd(code)) ? nok(code) : ok(code)
      }
    },
  }
}

const isSpace = (code: Code) => code === 32 || code === -1 || code === -2
