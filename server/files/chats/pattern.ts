/**
 * Replaces matches of a regular expression that another program wrote, in Python's syntax. All ways to match advance
 * together through the text, so a step is never repeated, and `left` ends even that: no pattern can stop the reading.
 */

export interface Steps {
  left: number
}

type Test = (symbol: string) => boolean
type Instruction =
  | { op: 'one'; test: Test }
  | { op: 'either'; first: number; second: number }
  | { op: 'mark'; slot: number }
  | { op: 'at'; test: (text: string, at: number) => boolean }
  | { op: 'found' }

interface Program {
  code: Instruction[]
  /** Every match begins with it. */
  prefix: string
  names: Map<string, number>
}

/** Instructions, and groups in groups. */
const MAX_CODE = 20_000
const MAX_DEPTH = 50
const MAX_REPEATS = 1000

class Unsupported extends Error {}

/** Null when the pattern is not understood, finds nothing or takes too long, and when the result is too long. */
export function replaceMatches(
  text: string,
  { pattern, replacement, isMultiple }: { pattern: string; replacement: string; isMultiple: boolean },
  maxLength: number,
  steps: Steps,
): string | null {
  try {
    const program = compile(pattern)
    const parts: string[] = []
    let [from, length] = [0, 0]
    const add = (part: string) => {
      length += part.length
      if (length > maxLength) throw new Unsupported()
      parts.push(part)
    }
    for (let at = 0; at <= text.length; ) {
      const slots = find(program, text, at, steps)
      if (!slots) break
      const [start = 0, end = 0] = slots
      // Nothing is found once more behind each match: «.*» is the whole text, not that and its end.
      if (end > start || parts.length === 0 || start > from) {
        add(text.slice(from, start))
        add(expand(replacement, text, slots, program.names))
        from = end
        if (!isMultiple) break
      }
      at = end > start ? end : end + 1
    }
    if (parts.length === 0) return null
    add(text.slice(from))
    return parts.join('')
  } catch (error) {
    if (error instanceof Unsupported) return null
    throw error
  }
}

interface Thread {
  at: number
  slots: number[]
}

/** Places of the first match and of its groups, as pairs. */
function find({ code, prefix }: Program, text: string, from: number, steps: Steps): number[] | null {
  let threads: Thread[] = []
  let found: number[] | null = null
  /** The position at which an instruction was reached last. */
  const reached = new Int32Array(code.length).fill(-1)
  const follow = (start: Thread, place: number, to: Thread[]) => {
    const stack = [start]
    for (let thread = stack.pop(); thread; thread = stack.pop()) {
      const { at, slots } = thread
      if (reached[at] === place) continue
      reached[at] = place
      steps.left -= 1
      const instruction = code[at]
      if (instruction?.op === 'either') stack.push({ at: instruction.second, slots }, { at: instruction.first, slots })
      else if (instruction?.op === 'mark') {
        const marked = [...slots]
        marked[instruction.slot] = place
        stack.push({ at: at + 1, slots: marked })
      } else if (instruction?.op === 'at') {
        if (instruction.test(text, place)) stack.push({ at: at + 1, slots })
      } else to.push(thread)
    }
  }
  for (let place = from; place <= text.length; place += 1) {
    if (threads.length === 0) {
      if (found) return found
      place = prefix === '' ? place : text.indexOf(prefix, place)
      if (place < 0) return null
    }
    if (!found) follow({ at: 0, slots: [] }, place, threads)
    if (steps.left < 0) throw new Unsupported()
    const next: Thread[] = []
    const symbol = text[place]
    for (const { at, slots } of threads) {
      const instruction = code[at]
      steps.left -= 1
      if (instruction?.op === 'found') {
        found = slots
        break
      }
      if (instruction?.op === 'one' && symbol !== undefined && instruction.test(symbol))
        follow({ at: at + 1, slots }, place + 1, next)
    }
    threads = next
  }
  return found
}

/** As `re.Match.expand`: groups by number or name. Other signs stay as they are. */
function expand(template: string, text: string, slots: number[], names: Map<string, number>): string {
  const group = (number: number) => text.slice(slots[number * 2] ?? 0, slots[number * 2 + 1] ?? 0)
  return template.replace(/\\(?:g<(\w+)>|([1-9]\d?)|([nrt\\]))/g, (_, name, number, sign) => {
    if (sign !== undefined) return { n: '\n', r: '\r', t: '\t' }[sign as string] ?? '\\'
    return group(Number(number ?? names.get(name) ?? name) || 0)
  })
}

const isSpace: Test = (symbol) => /\s/.test(symbol)
const isDigit: Test = (symbol) => /\d/.test(symbol)
const isWord: Test = (symbol) => /[\p{L}\p{N}_]/u.test(symbol)
const not =
  (test: Test): Test =>
  (symbol) =>
    !test(symbol)

const classes: Record<string, Test> = {
  ...{ s: isSpace, S: not(isSpace), d: isDigit, D: not(isDigit), w: isWord, W: not(isWord) },
}
const signs: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', a: '\x07', '0': '\0' }

const isBoundary = (text: string, at: number) => isWord(text[at - 1] ?? ' ') !== isWord(text[at] ?? ' ')
const places: Record<string, (text: string, at: number) => boolean> = {
  b: isBoundary,
  B: (text, at) => !isBoundary(text, at),
  A: (_, at) => at === 0,
  Z: (text, at) => at === text.length,
  '^': (text, at) => at === 0 || text[at - 1] === '\n',
  $: (text, at) => at === text.length || text[at] === '\n',
}

function compile(pattern: string): Program {
  const names = new Map<string, number>()
  let [at, groups, depth] = [0, 0, 0]
  const peek = (text: string) => pattern.startsWith(text, at)
  const take = (text: string) => {
    if (!peek(text)) return false
    at += text.length
    return true
  }
  const takeMatch = (sticky: RegExp): RegExpExecArray | null => {
    sticky.lastIndex = at
    const match = sticky.exec(pattern)
    if (match) at = sticky.lastIndex
    return match
  }
  const limited = (code: Instruction[]) => {
    if (code.length > MAX_CODE) throw new Unsupported()
    return code
  }
  const one = (test: Test): Instruction[] => [{ op: 'one', test }]
  const symbolIs = (wanted: string) => one((symbol) => symbol === wanted)

  function alternatives(): Instruction[] {
    if (++depth > MAX_DEPTH) throw new Unsupported()
    const first = sequence()
    const code = take('|') ? either(first, alternatives(), true) : first
    depth -= 1
    return limited(code)
  }

  function sequence(): Instruction[] {
    const code: Instruction[] = []
    while (at < pattern.length && !peek('|') && !peek(')')) {
      for (const instruction of shifted(repeated(atom()), code.length)) code.push(instruction)
      limited(code)
    }
    return code
  }

  function atom(): Instruction[] {
    if (take('(')) return group()
    if (take('[')) return one(symbolClass())
    // Rewriting the whole text by «.*» is what ChatGPT is told to do, so a dot is a line break too.
    if (take('.')) return one(() => true)
    if (take('\\')) return escaped()
    if (peek('*') || peek('+') || peek('?')) throw new Unsupported()
    const symbol = pattern[at++] ?? ''
    const test = symbol === '^' || symbol === '$' ? places[symbol] : undefined
    return test ? [{ op: 'at', test }] : symbolIs(symbol)
  }

  function group(): Instruction[] {
    const name = takeMatch(/\?P<(\w+)>/y)?.[1]
    const isCounted = !take('?:')
    if (isCounted && name === undefined && peek('?')) throw new Unsupported()
    const number = isCounted ? ++groups : 0
    if (name !== undefined) names.set(name, number)
    const inside = alternatives()
    if (!take(')')) throw new Unsupported()
    if (!isCounted) return inside
    return [{ op: 'mark', slot: number * 2 }, ...shifted(inside, 1), { op: 'mark', slot: number * 2 + 1 }]
  }

  function escapedSymbol(): string {
    const hex = takeMatch(/x([\da-f]{2})|u([\da-f]{4})/iy)
    if (hex) return String.fromCharCode(Number.parseInt(hex[1] ?? hex[2] ?? '', 16))
    const symbol = pattern[at++]
    if (symbol === undefined || (/[a-z\d]/i.test(symbol) && !(symbol in signs))) throw new Unsupported()
    return signs[symbol] ?? symbol
  }

  function escaped(): Instruction[] {
    const letter = pattern[at] ?? ''
    const [test, place] = [classes[letter], /[bBAZ]/.test(letter) ? places[letter] : undefined]
    if (!test && !place) return symbolIs(escapedSymbol())
    at += 1
    return test ? one(test) : place ? [{ op: 'at', test: place }] : []
  }

  function symbolClass(): Test {
    const isInverted = take('^')
    const tests: Test[] = []
    for (let isFirst = true; isFirst || !peek(']'); isFirst = false) {
      if (at >= pattern.length) throw new Unsupported()
      const known = peek('\\') ? classes[pattern[at + 1] ?? ''] : undefined
      if (known) {
        at += 2
        tests.push(known)
        continue
      }
      const from = take('\\') ? escapedSymbol() : (pattern[at++] ?? '')
      const isRange = peek('-') && pattern[at + 1] !== ']' && at + 1 < pattern.length
      if (isRange) at += 1
      const to = !isRange ? from : take('\\') ? escapedSymbol() : (pattern[at++] ?? '')
      tests.push((symbol) => symbol >= from && symbol <= to)
    }
    at += 1
    return (symbol) => tests.some((test) => test(symbol)) !== isInverted
  }

  function repeated(code: Instruction[]): Instruction[] {
    const counted = takeMatch(/\{(\d+)\}|\{(\d*),(\d*)\}/y)
    const sign = counted ? '' : (takeMatch(/[*+?]/y)?.[0] ?? '')
    if (!counted && sign === '') return code
    const least = counted ? Number(counted[1] ?? counted[2]) : sign === '+' ? 1 : 0
    const given = counted ? (counted[1] ?? counted[3] ?? '') : sign === '?' ? '1' : ''
    const most = given === '' ? null : Number(given)
    const isGreedy = !take('?')
    if (peek('+') || peek('*') || Math.max(least, most ?? 0) > MAX_REPEATS) throw new Unsupported()
    const whole: Instruction[] = []
    const add = (more: Instruction[]) => {
      for (const instruction of shifted(more, whole.length)) whole.push(instruction)
      limited(whole)
    }
    for (let i = 0; i < least; i += 1) add(code)
    if (most === null) add(loop(code, isGreedy))
    else for (let i = least; i < most; i += 1) add(either(code, [], isGreedy))
    return whole
  }

  // Flags that hold here anyway.
  takeMatch(/\(\?[sm]+\)/y)
  const inside = alternatives()
  if (at < pattern.length) throw new Unsupported()
  const code: Instruction[] = [{ op: 'mark', slot: 0 }, ...shifted(inside, 1), { op: 'mark', slot: 1 }, { op: 'found' }]
  const prefix = /^(?:[^\\^$.|?*+()[\]{}]|\\[^a-zA-Z\d])*/.exec(pattern)?.[0] ?? ''
  const isWhole = prefix.length === pattern.length
  // What follows may repeat the last sign, or be another way to match.
  const sure = /^[*?{]|\|/.test(pattern.slice(prefix.length)) && !isWhole ? '' : prefix.replace(/\\(.)/gs, '$1')
  return { code, prefix: sure, names }
}

/** `isFirst`: the first way is tried before the second. */
function either(first: Instruction[], second: Instruction[], isFirst: boolean): Instruction[] {
  const begin = 1
  const skip = first.length + (second.length > 0 ? 2 : 1)
  const split: Instruction = isFirst
    ? { op: 'either', first: begin, second: skip }
    : { op: 'either', first: skip, second: begin }
  if (second.length === 0) return [split, ...shifted(first, 1)]
  const end = skip + second.length
  return [split, ...shifted(first, 1), { op: 'either', first: end, second: end }, ...shifted(second, skip)]
}

function loop(code: Instruction[], isGreedy: boolean): Instruction[] {
  const end = code.length + 2
  const split: Instruction = isGreedy
    ? { op: 'either', first: 1, second: end }
    : { op: 'either', first: end, second: 1 }
  return [split, ...shifted(code, 1), { op: 'either', first: 0, second: 0 }]
}

const shifted = (code: Instruction[], by: number): Instruction[] =>
  code.map((instruction) =>
    instruction.op === 'either'
      ? { op: 'either', first: instruction.first + by, second: instruction.second + by }
      : instruction,
  )
