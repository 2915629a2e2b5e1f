import type { RootContent } from 'mdast'
import { memo, useId, useMemo, useRef } from 'react'
import { Footnotes } from './footnotes.tsx'
import { advanceSplit, type Block, type Split } from './parse/split.ts'
import { keepSplit, openSplit } from './parse/split-cache.ts'
import { ReferencesProvider, referencesOf } from './references.ts'
import { renderNode } from './render-node.tsx'
import '../prose.css'
import './answer.css'

interface MarkdownProps {
  text: string
  /** More text may come: the last block is shown with what is half said in it closed. */
  isStreaming?: boolean
}

/** An answer. While it grows, only the block at its end is read and drawn again. */
export const Markdown = memo(function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const split = useSplit(cleanText(text), isStreaming)
  const { blocks, labels } = split
  const prefix = useId()
  const calls = labels.notes.size === 0 ? null : blocks
  // biome-ignore lint/correctness/useExhaustiveDependencies: without footnotes the blocks do not matter
  const references = useMemo(() => referencesOf(split, prefix), [labels, calls, prefix])
  return (
    <ReferencesProvider value={references}>
      <div className="prose answer" data-streaming={isStreaming || undefined}>
        {groupsOf(blocks).map((group, i) => renderGroup(group, i, isStreaming && (i + 1) * GROUP >= blocks.length))}
        <Footnotes />
      </div>
    </ReferencesProvider>
  )
})

/** A group of blocks that are all the same is passed over as one. A block never changes its group. */
const GROUP = 32

function groupsOf(blocks: readonly Block[]): (readonly Block[])[] {
  return Array.from({ length: Math.ceil(blocks.length / GROUP) }, (_, i) => blocks.slice(i * GROUP, (i + 1) * GROUP))
}

function renderGroup(blocks: readonly Block[], key: number, isLive: boolean) {
  return <Group key={key} blocks={blocks} isLive={isLive} />
}

interface GroupProps {
  blocks: readonly Block[]
  isLive: boolean
}

const Group = memo(
  function Group({ blocks, isLive }: GroupProps) {
    return blocks.map(({ node }, i) => renderBlock(node, i, isLive && i === blocks.length - 1))
  },
  (old, fresh) =>
    old.isLive === fresh.isLive &&
    old.blocks.length === fresh.blocks.length &&
    old.blocks.every(({ node }, i) => node === fresh.blocks[i]?.node),
)

/** A block is what stands at its place: when it grows or turns out to be something else, its neighbours stay. */
function renderBlock(node: RootContent, key: number, isLive: boolean) {
  return <BlockView key={key} node={node} isLive={isLive} />
}

const BlockView = memo(function BlockView({ node, isLive }: { node: RootContent; isLive: boolean }) {
  return renderNode(node, 0, isLive)
})

/** One kind of line ends, and no signs that are there and cannot be seen. Looked for one by one: that is quickest. */
function cleanText(text: string): string {
  if (!text.includes('\r') && !text.includes('\0') && !text.includes('\uFEFF')) return text
  return text.replace(/\r\n?/g, '\n').replaceAll('\uFEFF', '').replaceAll('\0', '\uFFFD')
}

/** The split follows from the text alone. The last one is kept because the next follows from it for less. */
function useSplit(text: string, isStreaming: boolean): Split {
  const kept = useRef<Split>(null)
  const split = kept.current ? advanceSplit(kept.current, text, isStreaming) : openSplit(text, isStreaming)
  if (split !== kept.current) keepSplit(split)
  kept.current = split
  return split
}
