import { isBracketFormula, isDollarFormula, isFormula, isParenFormula } from './math-or-money.ts'
import {
  BACKSLASH,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  type Code,
  type Construct,
  characterOf,
  DOLLAR,
  type Effects,
  OPEN_BRACKET,
  OPEN_PAREN,
  type State,
  type TokenizeContext,
  takeLines,
  textBetween,
} from './syntax.ts'

/** `$…$` and `$$…$$` inside a paragraph. The first dollar after the opening one decides, so that prices stay text. */
export const dollarText: Construct = {
  name: 'formulaText',
  tokenize: tokenizeDollars,
  // A dollar in the middle of a run was tried with the first one; many dollars would take quadratic time.
  previous(code) {
    return code !== DOLLAR || this.events.at(-1)?.[1].type === 'characterEscape'
  },
}

/** `\(…\)` and `\[…\]` inside a paragraph. */
export const bracketText: Construct = { name: 'formulaText', tokenize: tokenizeBrackets }

function tokenizeDollars(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const self = this
  const lines = takeLines(effects)
  const before = characterOf(self.previous)
  let size = 0
  let closing = 0
  let from = self.now()
  let to = from

  return function start(code) {
    effects.enter('formulaText')
    return opening(code)
  }

  function opening(code: Code): State | undefined {
    if (code === DOLLAR) {
      lines.take(code)
      size += 1
      return opening
    }
    from = self.now()
    return size > 2 ? nok(code) : content(code)
  }

  function content(code: Code): State | undefined {
    if (code === null) return nok(code)
    to = self.now()
    if (code === DOLLAR) return close(code)
    lines.take(code)
    return code === BACKSLASH ? escaped : content
  }

  function escaped(code: Code): State | undefined {
    if (code !== DOLLAR && code !== BACKSLASH) return content(code)
    lines.take(code)
    return content
  }

  function close(code: Code): State | undefined {
    if (code === DOLLAR) {
      lines.take(code)
      closing += 1
      return close
    }
    const inner = textBetween(self, from, to)
    const isRight =
      size === 2 ? isFormula(inner) : isDollarFormula({ before, content: inner, after: characterOf(code) })
    if (closing !== size || !isRight) return nok(code)
    lines.end()
    effects.exit('formulaText')
    return ok(code)
  }
}

function tokenizeBrackets(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const self = this
  const lines = takeLines(effects)
  let closer = CLOSE_PAREN
  let from = self.now()
  let to = from

  return function start(code) {
    effects.enter('formulaText')
    lines.take(code)
    return bracket
  }

  function bracket(code: Code): State | undefined {
    if (code !== OPEN_PAREN && code !== OPEN_BRACKET) return nok(code)
    closer = code === OPEN_PAREN ? CLOSE_PAREN : CLOSE_BRACKET
    lines.take(code)
    return first
  }

  function first(code: Code): State | undefined {
    from = self.now()
    return content(code)
  }

  function content(code: Code): State | undefined {
    if (code === null) return nok(code)
    to = self.now()
    lines.take(code)
    return code === BACKSLASH ? escaped : content
  }

  function escaped(code: Code): State | undefined {
    if (code === BACKSLASH) {
      lines.take(code)
      return content
    }
    // Another opening bracket: many of them would be read to the end of the paragraph, each by each.
    if (code === OPEN_PAREN || code === OPEN_BRACKET) return nok(code)
    return code === closer ? close(code) : content(code)
  }

  function close(code: Code): State | undefined {
    const inner = textBetween(self, from, to)
    if (!(closer === CLOSE_PAREN ? isParenFormula(inner) : isBracketFormula(inner))) return nok(code)
    lines.take(code)
    lines.end()
    effects.exit('formulaText')
    return ok
  }
}
