import type { RootContent } from 'mdast'
import { memo, useId, useMemo, useRef } from 'react'
import { isTooDense } from './parse/markup-cost.ts'
import type { Block } from './parse/types.ts'
import { ReferencesProvider, referencesOf, useReferences } from './references.tsx'
import { renderNode, renderNodes } from './render-node.tsx'
import { useEndMark } from './use-end-mark.ts'
import { useSplit } from './use-split.ts'
import './answer.css'

interface MarkdownProps {
  text: string
  /** More text may come: open markup in the last block is shown as if it were closed. */
  isStreaming?: boolean
}

/** A Markdown text, unless parsing it would hold up the page. */
export const Markdown = memo(function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const isPlain = useMemo(() => !isStreaming && isTooDense(text), [text, isStreaming])
  return isPlain ? <PlainText text={text} /> : <ParsedText text={text} isStreaming={isStreaming} />
})

function PlainText({ text }: { text: string }) {
  return (
    <div className="prose answer">
      <p>В этом тексте слишком много разметки, поэтому он показан без оформления.</p>
      <div className="whitespace-pre-wrap wrap-anywhere">{text}</div>
    </div>
  )
}

/** While it grows, only its last blocks are parsed and rendered again. */
function ParsedText({ text, isStreaming }: Required<MarkdownProps>) {
  const split = useSplit(text, isStreaming)
  const { blocks, labels } = split
  const prefix = useId()
  const answer = useRef<HTMLDivElement>(null)
  useEndMark(answer, isStreaming)
  const calls = labels.notes.size === 0 ? null : blocks
  // biome-ignore lint/correctness/useExhaustiveDependencies: without footnotes the blocks do not matter
  const references = useMemo(() => referencesOf(split, prefix), [labels, calls, prefix])
  return (
    <ReferencesProvider value={references}>
      <div ref={answer} className="prose answer">
        {groupsOf(blocks).map((group, i) =>
          renderGroup(group, i, split.isBlockOpen && (i + 1) * GROUP >= blocks.length),
        )}
        <Footnotes />
      </div>
    </ReferencesProvider>
  )
}

/** React compares one group instead of each of its blocks. A block never changes its group. */
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

/** The key is the position: when a block grows or changes its kind, its neighbours keep their elements. */
function renderBlock(node: RootContent, key: number, isLive: boolean) {
  return <BlockView key={key} node={node} isLive={isLive} />
}

const BlockView = memo(function BlockView({ node, isLive }: { node: RootContent; isLive: boolean }) {
  return renderNode(node, 0, isLive)
})

function Footnotes() {
  const { notes, prefix } = useReferences()
  if (notes.length === 0) return null
  return (
    <section className="footnotes" aria-label="Примечания">
      <ol>
        {notes.map(({ identifier, children }, i) => (
          <li key={identifier} id={`${prefix}${i + 1}`} tabIndex={-1}>
            {renderNodes(children, false)}
          </li>
        ))}
      </ol>
    </section>
  )
}
