/** Texts that cost the most, and the longest time for which one call keeps everything else waiting. */

const times = (part: string) => (length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
const around = (open: string, part: string, close: string) => (length: number) =>
  open + times(part)(length - open.length - close.length) + close

export type WorstText = (length: number) => string

const signs = [...'aя19 \n\t*_`~[](){}<>|\\"\'#-+=@.,:;!?/$&%^«…']

/** Runs of one sign, runs of pairs, begun and never ended brackets, long words, short words, nested signs. */
export const worstTexts: Record<string, WorstText> = {
  ...Object.fromEntries(signs.map((sign) => [`a run of ${JSON.stringify(sign)} and more`, around('b', sign, 'b')])),
  ...Object.fromEntries(
    [
      ...signs,
      '\u0301',
      '😀',
      'е\u0301',
      '\u00a0',
      '\ud800',
      '\r',
      ' \n',
      '\n\n',
      '\n ',
      '\r\n',
      'a ',
      'и ',
      'a\n',
      'a\n\n',
      'a. ',
      'А. ',
      '1,',
      '1, ',
      '1.',
      '1 ',
      '8 ',
      '+7',
      '12-',
      '.,',
      '* ',
      '*a ',
      '**a',
      '*a_',
      '_a ',
      '~~a',
      '`a',
      '``a`',
      '[a',
      '[]',
      '[](',
      '[a](',
      '[a][',
      '![',
      '[^',
      '\\[',
      '[1,',
      '[1] ',
      '[1]: a\n',
      '[a]: b\n',
      '[имя 1',
      '<a ',
      '<a',
      '<!--',
      '</',
      '<p>',
      '<b>a',
      '<meta ',
      '&a;',
      '&#1',
      '> ',
      '>',
      '- ',
      '- a\n',
      '# a\n',
      '1. a\n',
      '| a ',
      '|a|\n',
      '|-|\n',
      '```\n',
      '```a\n',
      '$a',
      '\\(',
      '{{',
      '{{a',
      '{{а:',
      '{{а}} ',
      'a@',
      'a@a.',
      'http://',
      'http://a)',
      'https://a.b/(',
      'www.',
      'a"b',
      '";"',
      '" ',
      "'=",
      '%_',
      'раз, два. ',
      'Анна Петровна ',
      'тел. 8 999 123-45-67 ',
      'слово '.repeat(20),
      `${'длинное'.repeat(40)} `,
    ].map((part) => [JSON.stringify(part), times(part)]),
  ),
  'an address that closes': around('https://a.example/', ')', ''),
  'an address that ends': around('https://a.example/', '.', 'a'),
  'one citation': around('[', '1,', 'x'),
  'one link': around('[a](', '(', ')'),
  'one title': around('[a](b "', 'a ', '"'),
  'one code': around('`', 'a ', '``'),
  'one comment': around('<!--', '-', '>'),
  'one tag': around('<a ', 'b="c" ', '>'),
  'nested brackets': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'nested parentheses': (length) => `https://a.b/${'('.repeat(length / 2)}${')'.repeat(length / 2)}`,
  'nested emphasis': (length) => '*a '.repeat(length / 6) + ' a*'.repeat(length / 6),
  'nested quotes': (length) => Array.from({ length: Math.sqrt(length) }, (_, n) => '>'.repeat(n)).join('\n'),
  'nested lists': (length) => Array.from({ length: Math.sqrt(length) }, (_, n) => `${' '.repeat(n)}- a`).join('\n'),
  'code signs of every length': (length) =>
    Array.from({ length: Math.sqrt(length * 2) }, (_, n) => `a${'`'.repeat(n)}`).join(''),
  'spaces before the end': (length) => `${' '.repeat(length - 1)}a`,
  'lines before the end': (length) => `${'\n'.repeat(length - 1)}a`,
  'no two words the same': (length) => Array.from({ length: length / 7 }, (_, n) => `и${n.toString(36)}я`).join(' '),
}

interface NodeProcess {
  cpuUsage: () => { user: number; system: number }
}

const { process } = globalThis as unknown as { process: NodeProcess }
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * The longest time in ms for which `run` lets nothing else happen. Of wall and CPU time the smaller one counts: another
 * process lengthens the first, another thread of this one the second.
 */
export async function longestPause(run: () => unknown): Promise<number> {
  let longest = 0
  let [at, cpu] = [performance.now(), cpuMs()]
  const measure = () => {
    const [now, used] = [performance.now(), cpuMs()]
    longest = Math.max(longest, Math.min(now - at, used - cpu))
    ;[at, cpu] = [now, used]
  }
  let isOver = false
  const turns = (async () => {
    while (!isOver) {
      await nextTurn()
      measure()
    }
  })()
  ;[at, cpu] = [performance.now(), cpuMs()]
  await run()
  measure()
  isOver = true
  await turns
  return longest
}

const nextTurn = () => new Promise<void>((go) => setTimeout(go, 0))

export interface WorstCase {
  name: string
  /** The longest text that reaches this code. */
  limit: number
  run: (text: string) => unknown
  /** Texts of its own, besides those of all. */
  also?: Record<string, WorstText>
  /** Texts of its own instead of those of all, where the limit is millions of symbols. */
  texts?: Record<string, WorstText>
}

const TRIES = 4

/** The worstTexts for which the case takes longer than `most` ms, each time of several. */
export async function tooLong({ limit, run, also, texts = worstTexts }: WorstCase, most: number): Promise<string[]> {
  const slow: string[] = []
  for (const [name, make] of Object.entries({ ...texts, ...also })) {
    const text = make(limit)
    let best = Number.POSITIVE_INFINITY
    for (let tried = 0; tried < TRIES && best > most; tried++)
      best = Math.min(best, await longestPause(() => run(text)))
    if (best > most) slow.push(`${name}: ${Math.round(best)} ms`)
  }
  return slow
}
