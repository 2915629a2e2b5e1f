import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { answers } from '#web/ui/markdown/testing/answers.ts'
import { readExtras } from './extras.ts'
import { formulaFromMarkdown } from './formula-nodes.ts'
import { ownSyntax, parseAnswer } from './parse-answer.ts'

/** What the parser with all extensions reads. */
const parseWhole = (source: string) => {
  const extensions = [gfm({ singleTilde: false }), ownSyntax]
  const { children } = fromMarkdown(source, {
    extensions,
    mdastExtensions: [...gfmFromMarkdown(), formulaFromMarkdown],
  })
  return readExtras(children, source)
}

const bare = (nodes: unknown) => JSON.stringify(nodes, (key, value) => (key === 'position' ? undefined : value))

test('plain text is parsed the same without the search for addresses', () => {
  for (const text of Object.values(answers)) expect(bare(parseAnswer(text))).toBe(bare(parseWhole(text)))
})

test('all addresses in wild texts are found (S10.422)', { timeout: 60_000 }, () => {
  const bits = [
    ...[
      'http',
      'https://',
      '://',
      'HTTP://X.y',
      'www',
      'www.',
      'x.y',
      'a',
      '@',
      'b.c',
      'a@b.c',
      '_',
      '*',
      '**',
      '`',
      '<',
    ],
    ...[
      '>',
      '[',
      ']',
      '](',
      ')',
      '(',
      '[a]: ',
      '\n',
      '\n\n',
      ' ',
      '&#64;',
      '&amp;',
      '\\',
      '/',
      '.',
      '-',
      '+',
      '|',
      '~~',
    ],
    ...[
      '[t](https://x.y)',
      '<https://x.y>',
      '[https://x.y](/u)',
      '![i](http://x.y)',
      '$',
      '- ',
      '> ',
      '\n| a |\n|-|\n| ',
    ],
  ]
  const wild = fc.array(fc.constantFrom(...bits), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(wild, (text) => {
      expect(bare(parseAnswer(text))).toBe(bare(parseWhole(text)))
    }),
    { numRuns: 500 },
  )
})
