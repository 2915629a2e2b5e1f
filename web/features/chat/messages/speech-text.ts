import type { Nodes } from 'mdast'
import { parseAnswer } from '#contract/markdown/parse-answer.ts'

/** A sentence of this length takes about ten seconds. */
const LONGEST = 160

export function speechOf(markdown: string): string[] {
  return parseAnswer(markdown)
    .flatMap(linesOf)
    .flatMap((line) => sentencesOf(line.replace(/\s*\[\d+\]/g, '').trim()))
}

/** Each block is read by itself: a heading does not run into the text below it. */
function linesOf(node: Nodes): string[] {
  if (node.type === 'code') return ['Код.']
  if (node.type === 'table') return node.children.map((row) => row.children.map(wordsOf).join(', '))
  if (node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote')
    return (node.children as Nodes[]).flatMap(linesOf)
  return [wordsOf(node)]
}

function wordsOf(node: Nodes): string {
  const type: string = node.type
  if (type === 'formula' || type === 'formulaBlock') return 'формула'
  if (node.type === 'text' || node.type === 'inlineCode') return node.value
  if (node.type === 'break') return ' '
  if (node.type === 'image') return node.alt ?? ''
  return 'children' in node ? (node.children as Nodes[]).map(wordsOf).join('') : ''
}

export function sentencesOf(line: string): string[] {
  const sentences = line.match(/.+?(?:(?<![.!?…])[.!?…]+(?=\s|$)|$)/gsu) ?? []
  return sentences.flatMap((sentence) => shortParts(sentence.trim())).filter((part) => /[\p{L}\p{N}]/u.test(part))
}

/** A long sentence is cut behind a comma, else between words. */
function shortParts(sentence: string): string[] {
  if (sentence.length <= LONGEST) return [sentence]
  const head = sentence.slice(0, LONGEST)
  const pause = Math.max(...[', ', '; ', ': ', ' — '].map((mark) => head.lastIndexOf(mark) + mark.length - 1))
  const end = pause > LONGEST / 3 ? pause : Math.max(head.lastIndexOf(' '), 0) || LONGEST
  return [sentence.slice(0, end).trim(), ...shortParts(sentence.slice(end).trim())]
}
