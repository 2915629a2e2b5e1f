import type { gfm } from 'micromark-extension-gfm'

/** Helpers for both kinds of formulas. The parser's types are derived from a package that is a direct dependency. */

export type SyntaxExtension = ReturnType<typeof gfm>
type OneOrMore = NonNullable<NonNullable<SyntaxExtension['text']>[number]>
export type Construct = Exclude<OneOrMore, unknown[]>
export type Tokenizer = Construct['tokenize']
export type Effects = Parameters<Tokenizer>[0]
export type State = Parameters<Tokenizer>[1]
export type TokenizeContext = ThisParameterType<Tokenizer>
export type Code = Parameters<State>[0]

export const DOLLAR = 36
export const BACKSLASH = 92
export const OPEN_PAREN = 40
export const CLOSE_PAREN = 41
export const OPEN_BRACKET = 91
export const CLOSE_BRACKET = 93

/** In the parser line ends and tabs have negative codes. */
export const isLineEnd = (code: Code) => code !== null && code < -2

/** The character of a code: a space for negative codes, an empty string for the end of the text. */
export function characterOf(code: Code): string {
  if (code === null) return ''
  return code < 0 ? ' ' : String.fromCharCode(code)
}

type Point = ReturnType<TokenizeContext['now']>

/** The parser's own function fails on an empty range. */
export function textBetween(context: TokenizeContext, start: Point, end: Point): string {
  return start.offset === end.offset ? '' : context.sliceSerialize({ start, end })
}

/**
 * Consumes characters so that each line has a token of its own: the parser treats an empty token that spans a line end
 * as the line end itself.
 */
export function takeLines(effects: Effects) {
  let isInside = false

  function end() {
    if (isInside) effects.exit('formulaData')
    isInside = false
  }

  function take(code: Code) {
    if (isLineEnd(code)) {
      end()
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return
    }
    if (!isInside) effects.enter('formulaData')
    isInside = true
    effects.consume(code)
  }

  return { take, end }
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    formulaText: 'formulaText'
    formulaFlow: 'formulaFlow'
    formulaData: 'formulaData'
  }
}
