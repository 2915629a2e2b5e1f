import fc from 'fast-check'
import type { RootContent } from 'mdast'
import { describe, expect, test } from 'vitest'
import { parseAnswer } from '#contract/markdown/parse-answer.ts'
import { answers } from '../testing/answers.ts'
import { advanceSplit, splitInPieces, splitText } from './split.ts'
import type { SplitText } from './types.ts'

/** Nodes without their positions. */
function bare(nodes: readonly RootContent[]): unknown {
  return JSON.parse(JSON.stringify(nodes, (key, value) => (key === 'position' ? undefined : value)))
}

const nodesOf = ({ blocks }: SplitText) => blocks.map(({ node }) => node)

function stream(text: string, ends: readonly number[]): SplitText {
  let split = splitText('', true)
  for (const end of [...ends, text.length]) split = advanceSplit(split, text.slice(0, end), true)
  return split
}

const endsIn = (text: string) => fc.uniqueArray(fc.nat(text.length)).map((ends) => ends.toSorted((a, b) => a - b))
const samples = Object.values(answers).filter((text) => !text.includes('\r'))

describe('a text in pieces', () => {
  test('is parsed like the whole text, two characters at a time', { timeout: 60_000 }, () => {
    for (const text of samples) {
      const split = stream(
        text,
        Array.from({ length: text.length / 2 }, (_, i) => i * 2 + 1),
      )
      expect(bare(nodesOf(advanceSplit(split, text, false)))).toEqual(bare(parseAnswer(text)))
    }
  })

  // What begins and ends blocks, put together at random: far worse than any model writes.
  const bits = [
    ...['a', 'b c', '- x', '* y', '1. z', '2. w', '  ', '    ', '\t', '> q', '>', '```', '~~~', '```js', '$$', '\\['],
    ...['\\]', '---', '===', '# h', '| a | b |', '|-|-|', '| 1 |', '[a]: /u', '[a]', '[^n]', '[^n]: note', "'t", "t'"],
    ...['<div>', '<!--', '**b', '**', '`', '`c`', '[l](', 'http://x.y)', '+', '-', '', '', '$x^2$', '$5', '\\(', '\\)'],
    ...['[b]:\n', '/v', '- [ ] t', '***', '    code', '![i][a]', 'www.x.y', 'a@b.c', 'words and words'],
  ]
  const line = fc.tuple(fc.constantFrom(...bits), fc.constantFrom('\n', '\n', '\n\n', ' ', ''))
  const wild = fc.array(line, { maxLength: 14 }).map((lines) => lines.flat().join(''))

  test('is parsed like the whole text, in random pieces', { timeout: 60_000 }, () => {
    const texts = wild.chain((text) => fc.tuple(fc.constant(text), endsIn(text)))
    const property = fc.property(texts, ([text, ends]) => {
      const split = advanceSplit(stream(text, ends), text, false)
      expect(bare(nodesOf(split))).toEqual(bare(parseAnswer(text)))
    })
    fc.assert(property, { numRuns: 150 })
  })

  test('looks at each step as if it had come at once', { timeout: 60_000 }, () => {
    for (const text of samples.filter((sample) => !sample.includes(']:'))) {
      let split = splitText('', true)
      for (let end = 0; end <= text.length; end += 13) {
        split = advanceSplit(split, text.slice(0, end), true)
        expect(bare(nodesOf(split))).toEqual(bare(nodesOf(splitText(text.slice(0, end), true))))
      }
    }
  })
})

test('the example of the README streams as described', () => {
  let split = splitText('', true)
  const add = (chunk: string) => {
    split = advanceSplit(split, split.text + chunk, true)
    return { kinds: nodesOf(split).map(({ type }) => type), finished: split.finished, isPlain: split.isPlain }
  }
  const strong = () => (split.blocks[0]?.node.type === 'paragraph' ? split.blocks[0].node.children[1] : null)

  expect(add('Возьмите **бы')).toEqual({ kinds: ['paragraph'], finished: 0, isPlain: false })
  expect(strong()).toMatchObject({ type: 'strong', children: [{ value: 'бы' }] })
  expect(add('стрый старт** из [справки][1].')).toEqual({ kinds: ['paragraph'], finished: 0, isPlain: true })
  const parsed = strong()
  expect(add(' Нужен Node')).toEqual({ kinds: ['paragraph'], finished: 0, isPlain: true })
  expect(strong()).toBe(parsed)
  expect(add(' 20.\n\n```sh\nnpm i')).toMatchObject({ kinds: ['paragraph', 'code'], finished: 1 })
  expect(split.text.slice(split.tailStart)).toBe('```sh\nnpm i')
  expect(add('nstall\nnpm st')).toMatchObject({ kinds: ['paragraph', 'code'], finished: 1 })
  expect(split.fence?.settled).toBe('npm install\n')
  expect(split.blocks[0]?.node).not.toMatchObject({ children: [{}, {}, {}, { type: 'linkReference' }] })
  expect(add('art\n```\n\n[1]: /help\n\n')).toMatchObject({ kinds: ['paragraph', 'code', 'definition'], finished: 3 })
  expect(split.blocks[0]?.node).toMatchObject({ children: [{}, {}, {}, { type: 'linkReference' }, {}] })
  expect(split.tailStart).toBe(split.text.length)
})

describe('finished blocks', () => {
  test('stay the same objects and are not parsed again', () => {
    const before = splitText('# Раз\n\nДва\n\n- три\n- четыре\n\nПять', true)
    const after = advanceSplit(before, `${before.text} **шесть**\n\nСемь`, true)
    expect(nodesOf(after).slice(0, 3)).toEqual(nodesOf(before).slice(0, 3))
    for (const i of [0, 1, 2]) expect(after.blocks[i]?.node).toBe(before.blocks[i]?.node)
    expect(after.text.slice(after.tailStart).trimStart()).toBe('Семь')
  })

  test('include the items of a long list, except the last', () => {
    const items = Array.from({ length: 40 }, (_, i) => `${i + 1}. пункт **${i}**`)
    const before = stream(items.slice(0, 39).join('\n'), [])
    const after = advanceSplit(before, items.join('\n'), true)
    const [old, fresh] = [before.blocks[0]?.node, after.blocks[0]?.node]
    if (old?.type !== 'list' || fresh?.type !== 'list') throw new Error('no list')
    expect(fresh.children).toHaveLength(40)
    for (const i of [0, 1, 20, 36]) expect(fresh.children[i]).toBe(old.children[i])
    expect(after.text.slice(after.tailStart)).toBe(items.slice(38).join('\n'))
  })

  test('include the lines of a long code block', () => {
    const code = Array.from({ length: 3000 }, (_, i) => `line ${i} \`\` ** [`).join('\n')
    let split = splitText('```js\n', true)
    for (let end = 0; end < code.length; end += 97) split = advanceSplit(split, `\`\`\`js\n${code.slice(0, end)}`, true)
    expect(split.fence?.lineStart).toBeGreaterThan(code.length - 200)
    split = advanceSplit(split, `\`\`\`js\n${code}\n\`\`\`\n`, true)
    expect(split.blocks[0]?.node).toMatchObject({ type: 'code', lang: 'js', value: code })
    expect(split.finished).toBe(1)
  })
})

describe('later definitions', () => {
  test('change only the blocks that use them', () => {
    const before = splitText('См. [раз][a].\n\nДругой [раз][b].\n\nТекст.\n\n', true)
    const after = advanceSplit(before, `${before.text}[a]: /profile\n\nКонец`, true)
    expect(after.blocks[0]?.node).toMatchObject({
      children: [{ value: 'См. ' }, { type: 'linkReference' }, { value: '.' }],
    })
    expect(after.blocks[1]?.node).toBe(before.blocks[1]?.node)
    expect(after.labels.links.get('a')?.url).toBe('/profile')
  })

  test('do not count while they are being written', () => {
    const split = splitText('См. [раз][a].\n\n[a]: https://examp', true)
    expect(split.labels.links.size).toBe(0)
  })

  test('with the same name count once, the first wins', () => {
    const text = '[a]: /profile\n\n[x][A]\n\n[a]: /help'
    expect(stream(text, [5, 20, 25]).labels.links.get('a')?.url).toBe('/profile')
    expect(splitText(text, false).labels.links.get('a')?.url).toBe('/profile')
  })
})

test('a replaced text is parsed again', () => {
  const split = advanceSplit(splitText('Раз **два', true), 'Совсем другое', true)
  expect(bare(nodesOf(split))).toEqual(bare(parseAnswer('Совсем другое')))
})

test.each(Object.entries(answers))('«%s» in pieces is what it is at once (S10.729)', (_, text) => {
  const long = [text, text, text].join('\n\n')
  const last = [...splitInPieces(long)].at(-1)
  expect(last && nodesOf(last)).toEqual(nodesOf(splitText(long, false)))
})

test('a piece is not much longer than a few paragraphs (S10.729)', () => {
  const text = Array.from({ length: 60 }, (_, i) => `Абзац ${i}. ${'Слова о чае. '.repeat(8)}`).join('\n\n')
  const lengths = [...splitInPieces(text)].map(({ text: parsed }) => parsed.length)
  for (const [i, length] of lengths.entries()) expect(length - (lengths[i - 1] ?? 0)).toBeLessThan(600)
  expect(lengths[0]).toBeLessThan(250)
  expect(lengths.at(-1)).toBe(text.length)
})
