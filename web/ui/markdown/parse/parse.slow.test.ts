import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { formulaFromMarkdown, formulaSyntax } from '../formula/formula-nodes.ts'
import { answers } from '../testing/answers.ts'
import { parseNodes } from './parse.ts'

/** What the parser with all extensions reads. */
const parseWhole = (source: string) =>
  fromMarkdown(source, {
    extensions: [gfm({ singleTilde: false }), { ...formulaSyntax, disable: { null: ['htmlFlow'] } }],
    mdastExtensions: [...gfmFromMarkdown(), formulaFromMarkdown],
  }).children

const bare = (nodes: unknown) => JSON.stringify(nodes, (key, value) => (key === 'position' ? undefined : value))

test('texts read the same with and without the part of the parser that finds plain addresses', () => {
  for (const text of Object.values(answers)) expect(bare(parseNodes(text))).toBe(bare(parseWhole(text)))
})

test('addresses in wild texts are found wherever the whole parser finds them', {
  timeout: 60_000,
}, () => {
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
      expect(bare(parseNodes(text))).toBe(bare(parseWhole(text)))
    }),
    { numRuns: 500 },
  )
})
