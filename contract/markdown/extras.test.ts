import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { parseAnswer } from './parse-answer.ts'

/** The tree as text: a kind of node and what is in it. */
function tree(node: Nodes): string {
  if (node.type === 'text') return node.value
  if ('value' in node) return `${node.type}‹${node.value}›`
  const name = node.type === 'blockquote' && node.note ? node.note : node.type
  const inner = 'children' in node ? node.children.map(tree).join('') : ''
  return name === 'paragraph' ? inner : `${name}(${inner})`
}
const shown = (text: string) => parseAnswer(text).map(tree).join('¶')

describe('indices', () => {
  test.each([
    ['H<sub>2</sub>O', 'Hsubscript(2)O'],
    ['x<SUP>2</SUP>', 'xsuperscript(2)'],
    ['<sub>начало</sub> строки', 'subscript(начало) строки'],
    ['x<sub>i<sup>2</sup></sub>', 'xsubscript(isuperscript(2))'],
    ['**H<sub>2</sub>**', 'strong(Hsubscript(2))'],
  ])('%s', (text, nodes) => expect(shown(text)).toBe(nodes))

  test.each([
    ['H<sub>2', 'Hhtml‹<sub>›2'],
    ['a</sub>b<sub>', 'ahtml‹</sub>›bhtml‹<sub>›'],
    ['<sub>a</sup>b</sub>', 'html‹<sub>›ahtml‹</sup>›bhtml‹</sub>›'],
    ['**<sub>a**</sub>', 'strong(html‹<sub>›a)html‹</sub>›'],
    ['<sub onclick=x>a</sub>', 'html‹<sub onclick=x>›ahtml‹</sub>›'],
    ['<sub >a</sub>', 'html‹<sub >›ahtml‹</sub>›'],
    ['`<sub>a</sub>`', 'inlineCode‹<sub>a</sub>›'],
  ])('%s is no element (S10.654)', (text, nodes) => expect(shown(text)).toBe(nodes))
})

describe('notes', () => {
  test.each([
    ['> [!NOTE]\n> текст', 'NOTE(текст)'],
    ['> [!tip] текст', 'TIP(текст)'],
    ['> [!IMPORTANT]\n>\n> - раз', 'IMPORTANT(list(listItem(раз)))'],
    ['> [!WARNING]\n> **жирный** текст', 'WARNING(strong(жирный) текст)'],
    ['- пункт\n\n  > [!CAUTION]\n  > текст', 'list(listItem(пунктCAUTION(текст)))'],
    ['> [!FOO]\n> текст', 'blockquote([!FOO]\nтекст)'],
    ['> текст [!NOTE]', 'blockquote(текст [!NOTE])'],
    ['[!NOTE] текст', '[!NOTE] текст'],
  ])('%j (S10.654)', (text, nodes) => expect(shown(text)).toBe(nodes))
})

describe('a comparison at the start of an item', () => {
  test.each([
    ['- > 25: expensive', 'list(listItem(> 25: expensive))'],
    ['- >= 5 штук\n- >$10', 'list(listItem(>= 5 штук)listItem(>$10))'],
    ['1. > 100 **много**', 'list(listItem(> 100 strong(много)))'],
    ['- > цитата', 'list(listItem(blockquote(цитата)))'],
    ['- > 25 раз\n  > и ещё', 'list(listItem(blockquote(25 раз\nи ещё)))'],
    ['> 25: цитата', 'blockquote(25: цитата)'],
  ])('%j', (text, nodes) => expect(shown(text)).toBe(nodes))
})

describe('examples of CommonMark', () => {
  test('12: every sign can be escaped', () => {
    const signs = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
    expect(shown([...signs].map((sign) => `\\${sign}`).join(''))).toBe(signs)
  })
})
