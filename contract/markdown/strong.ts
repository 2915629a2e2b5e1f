import { type Code, type Construct, characterOf, isLineEnd, type State, type TokenizeContext } from './syntax.ts'

/**
 * `**` as readers expect it. The standard asks for a space or a sign behind a `**` that follows a sign, so it leaves
 * «**Важно:**это» raw. Everything else is the parser's own emphasis, which this construct wraps.
 */
export const looseStrong: Construct = {
  name: 'looseStrong',
  tokenize(effects, ok, nok) {
    const core = emphasisOf(this)
    const before = this.previous
    let token: Sequence | undefined
    const exit: typeof effects.exit = (type) => (token = effects.exit(type))
    const done: State = (code) => {
      if (token) loosen(this, token, before, code)
      return ok(code)
    }
    return core.tokenize.call(this, { ...effects, exit }, done, nok)
  },
  resolveAll: (events, context) => emphasisOf(context).resolveAll?.(events, context) ?? events,
}

type Sequence = ReturnType<Parameters<Construct['tokenize']>[0]['exit']>

const ASTERISK = 42

/** The parser puts constructs of extensions before its own. */
function emphasisOf({ parser }: TokenizeContext): Construct {
  return [parser.constructs.text[ASTERISK] ?? []].flat().at(-1) ?? looseStrong
}

/** What is open in one paragraph: how many `**`, and whether one of them stands before a space, «** текст **». */
interface Open {
  count: number
  isSpaced: boolean
}

const openIn = new WeakMap<TokenizeContext, Open>()

const ALPHABETIC = /\p{L}/u
/** No comma: `f(**a,**b)` is code. */
const CLOSING_SIGN = /[.:;!?…»”"'’)\]%]/
const QUOTE = /[«“„"]/

function loosen(context: TokenizeContext, token: Sequence, previous: Code, next: Code): void {
  const size = token.end.offset - token.start.offset
  const [before, after] = [characterOf(previous), characterOf(next)]
  if (before === '/' && (after === '/' || (size === 1 && after === '.'))) {
    // A path with wildcards, `src/**/*.ts`.
    token._open = false
    token._close = false
  }
  if (size !== 2 || (before === '/' && after === '/')) return
  const open = openIn.get(context) ?? { count: 0, isSpaced: false }
  openIn.set(context, open)
  const isLineStart = previous === null || isLineEnd(previous)
  const isOpen = open.count > 0
  if (isOpen && CLOSING_SIGN.test(before) && ALPHABETIC.test(after)) token._close = true
  else if (!isOpen && ALPHABETIC.test(before) && QUOTE.test(after)) token._open = true
  else if (isLineStart && after === ' ') {
    // At the start of a line it cannot be an operator, as in «2 ** 3 ** 4».
    token._open = true
    open.isSpaced = true
  } else if (isOpen && open.isSpaced && before === ' ' && !ALPHABETIC.test(after)) token._close = true
  if (isOpen && token._close) {
    open.count -= 1
    if (open.count === 0) open.isSpaced = false
  } else if (token._open) open.count += 1
}
