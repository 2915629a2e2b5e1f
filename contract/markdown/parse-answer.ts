import type { Nodes, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { readExtras } from './extras.ts'
import { formulaFromMarkdown, formulaSyntax } from './formula-nodes.ts'
import { looseStrong } from './strong.ts'

const ASTERISK = 42

/**
 * A single tilde means "about" in Russian texts, so it does not strike through. HTML blocks are off, so that Markdown
 * between tags is parsed; a tag inside a paragraph becomes an `html` node and is shown as text.
 */
export const ownSyntax = {
  ...formulaSyntax,
  text: { ...formulaSyntax.text, [ASTERISK]: looseStrong },
  disable: { null: ['htmlFlow'] },
}
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

/** The nodes of an answer: CommonMark, GFM, formulas and the extras. The page and the exported files read it the same. */
export function parseAnswer(source: string): RootContent[] {
  return readExtras(parseNodes(source), source)
}

function parseNodes(source: string): RootContent[] {
  if (!ADDRESS.test(source)) return fromMarkdown(source, lightParser).children
  // Most URLs are targets of links, which the light parser reads too.
  const nodes = /[@&]|www/i.test(source) ? null : fromMarkdown(source, lightParser).children
  return nodes && !nodes.some(hasAddress) ? nodes : fromMarkdown(source, fullParser).children
}

function hasAddress(node: Nodes): boolean {
  if (node.type === 'text') return ADDRESS.test(node.value)
  return 'children' in node && node.children.some(hasAddress)
}
