import type { RootContent } from 'mdast'
import { memo, useId, useMemo, useState } from 'react'
import { Footnotes } from './footnotes.tsx'
import { advanceSplit, type Split } from './parse/split.ts'
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
        {blocks.map(({ node }, i) => renderBlock(node, i, isStreaming && i === blocks.length - 1))}
        <Footnotes />
      </div>
    </ReferencesProvider>
  )
})

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

/** The split follows from the text alone; the state is what makes following cheap. */
function useSplit(text: string, isStreaming: boolean): Split {
  const [kept, setKept] = useState(() => openSplit(text, isStreaming))
  const split = advanceSplit(kept, text, isStreaming)
  if (split !== kept) {
    setKept(split)
    keepSplit(split)
  }
  return split
}
