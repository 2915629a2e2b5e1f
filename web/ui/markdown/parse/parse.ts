import type { Nodes, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { formulaFromMarkdown, formulaSyntax } from '../formula/formula-nodes.ts'
import { labelsIn } from './labels.ts'
import type { Labels, PlacedNode } from './types.ts'

/**
 * A single tilde means "about" in Russian texts, so it does not strike through. HTML blocks are off, so that Markdown
 * between tags is parsed; a tag inside a paragraph becomes an `html` node and is shown as text.
 */
const ownSyntax = { ...formulaSyntax, disable: { null: ['htmlFlow'] } }
const syntax = gfm({ singleTilde: false })
const nodesOfSyntax = gfmFromMarkdown()
const fullParser = { extensions: [syntax, ownSyntax], mdastExtensions: [...nodesOfSyntax, formulaFromMarkdown] }

/**
 * The same without bare URLs and email addresses. They may begin at any character of a word, so they cost a third of
 * the parsing time, and few texts have one.
 */
const lightParser = {
  extensions: [{ ...syntax, text: withoutBareAddresses(syntax.text ?? {}) }, ownSyntax],
  mdastExtensions: [...nodesOfSyntax.filter(({ enter }) => !enter?.literalAutolink), formulaFromMarkdown],
}

type Constructs = NonNullable<typeof syntax.text>

function withoutBareAddresses(constructs: Constructs): Constructs {
  const others = Object.entries(constructs).map(([code, found]) => {
    const list = [found ?? []].flat()
    return [code, list.filter(({ name }) => !/^(?:email|protocol|www)Autolink$/.test(name ?? ''))] as const
  })
  return Object.fromEntries(others.filter(([, list]) => list.length > 0))
}

/** Every bare address has one of these; `&` may begin an entity that stands for any character. */
const ADDRESS = /[@&]|www|http/i

export function parseNodes(source: string): RootContent[] {
  if (!ADDRESS.test(source)) return fromMarkdown(source, lightParser).children
  // Most URLs are targets of links, which the light parser reads too.
  const nodes = /[@&]|www/i.test(source) ? null : fromMarkdown(source, lightParser).children
  return nodes && !nodes.some(hasAddress) ? nodes : fromMarkdown(source, fullParser).children
}

function hasAddress(node: Nodes): boolean {
  if (node.type === 'text') return ADDRESS.test(node.value)
  return 'children' in node && node.children.some(hasAddress)
}

/**
 * Parses a fragment of a text whose definitions may be elsewhere: the parser recognises a reference only if it sees the
 * definition, so stubs of the known ones go in front. The rule keeps the last footnote from swallowing indented text.
 */
export function parseFragment(source: string, known: Labels): PlacedNode[] {
  const { links, notes } = labelsIn(source, known)
  const lines = [...notes.map((name) => `[^${name}]: x\n\n`), ...links.map((name) => `[${name}]: x\n`)]
  const prefix = lines.length === 0 ? '' : `${lines.join('')}\n***\n\n`
  const nodes = parseNodes(prefix + source)
  return nodes.flatMap((node) => {
    const start = (node.position?.start.offset ?? 0) - prefix.length
    const end = (node.position?.end.offset ?? 0) - prefix.length
    return start < 0 ? [] : [{ node, start: lineStart(source, start), end, shift: prefix.length }]
  })
}

/** Moves an offset back over the indentation in front of it. */
export function lineStart(source: string, offset: number): number {
  let start = offset
  while (start > 0 && (source[start - 1] === ' ' || source[start - 1] === '\t')) start -= 1
  return start
}
