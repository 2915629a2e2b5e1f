import type { RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { formulaFromMarkdown, formulaSyntax } from '../formula/formula-nodes.ts'

/**
 * A single tilde is «about» in Russian texts, not a strike. HTML blocks are off, so that the Markdown between tags
 * stays Markdown; a tag inside a paragraph is read as one and shown as text.
 */
const extensions = [gfm({ singleTilde: false }), { ...formulaSyntax, disable: { null: ['htmlFlow'] } }]
const mdastExtensions = [...gfmFromMarkdown(), formulaFromMarkdown]

export function parseNodes(source: string): RootContent[] {
  return fromMarkdown(source, { extensions, mdastExtensions }).children
}
