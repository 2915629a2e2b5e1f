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

const numbered =
  (part: (n: number) => string, separator = '') =>
  (length: number) =>
    Array.from({ length: length / (part(100).length + separator.length) }, (_, n) => part(n)).join(separator)
const tableOf = (columns: number, row: string, rows: number) =>
  `|${'|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${row.repeat(rows)}\n`

/** Constructs of Markdown, each as often as the text has room for it; those whose HTML is longest among them. */
export const worstMarkdown: Record<string, WorstText> = {
  ...Object.fromEntries(
    [
      ...['a\n-\n', '- *a*\n', '> - > - > - a\n', '- - - - - - - a\n', '-\n', '- [ ] a\n', '- a\n\n', '- a\n* b\n'],
      ...[
        '1) a\n2. b\n',
        '>\n\n',
        '> a\n\n',
        `${'> '.repeat(15)}a\n\n`,
        '> [!NOTE]\n> a\n\n',
        '    a\n\n',
        '\ta\n',
        '***\n',
      ],
      ...[
        '|a|b|\n|-|-|\n|c|d|\n|e|f|\n\n',
        '- |a|b|\n  |-|-|\n  |c|d|\n',
        '```\n```\n',
        '~~~\n~~~\n',
        '```js\nlet a=1\n```\n',
      ],
      ...[
        '[a](b) ',
        '[a](//b) ',
        '[a](http://b.c) ',
        '![a](b) ',
        '![](//b) ',
        'http://a.b ',
        'a@b.c ',
        '&amp;',
        '<br>',
      ],
      ...[
        '**a** ',
        '*a* ',
        '***a** b* ',
        '~~a~~ ',
        '<sub>a</sub>',
        '`a` ',
        'a\\\n',
        '[[[[[[]]]]]] ',
        '<a b="c" d="e">',
      ],
      ...['$x$ ', '$$\nx\n$$\n', '\\(x\\) ', '\\begin{a}x\\end{a} ', '$5 и $6 '],
      Array.from({ length: 12 }, (_, n) => `${'  '.repeat(n)}- a\n`).join(''),
    ].map((part) => [JSON.stringify(part), times(part)]),
  ),
  'a wide table of short rows': (length) => tableOf(length / 20, 'a\n', length * 0.4),
  'tables of 100 columns': times(`${tableOf(100, 'a\n', 50)}\n`),
  'a table of 100 columns': (length) => tableOf(100, `${'|'.repeat(100)}\n`, length / 101 - 3),
  'a table of cells': (length) => `|a|b|\n|-|-|\n${times('|c|d|\n')(length - 14)}`,
  'a table of emphasis': (length) => `|a|b|\n|-|-|\n${times('|*c*|*d*|\n')(length - 14)}`,
  'many references': (length) => `[a]: http://b.c\n\n${times('[a] ')(length - 12)}`,
  'references to a long address': (length) =>
    `[a]: http://b.c/${times('x')(length / 2)}\n\n${times('[a] ')(length / 2 - 12)}`,
  'references to a long title': (length) =>
    `[a]: http://b.c "${times('x')(length / 2)}"\n\n${times('[a] ')(length / 2 - 14)}`,
  'many definitions': numbered((n) => `[${n}]: //b\n`),
  'definitions and references': (length) =>
    `${numbered((n) => `[${n}]: //b\n`)(length / 2)}\n${numbered((n) => `[${n}]`, '\n\n')(length / 2)}`,
  'one footnote': (length) => `[^a]: b\n\n${times('[^a] ')(length - 12)}`,
  footnotes: (length) =>
    `${numbered((n) => `[^${n}]`, ' ')(length / 2)}\n\n${numbered((n) => `[^${n}]: a\n`)(length / 2)}`,
  'footnotes in footnotes': numbered((n) => `[^${n}]: [^${n + 1}]\n`),
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
