import type { OpenFence, PlacedNode, SplitText } from './types.ts'

/** The top-level code fence that is open at the end of a text; `offset` is where `source` begins in the whole text. */
export function openFence(last: PlacedNode | undefined, source: string, offset: number): OpenFence | null {
  if (last?.node.type !== 'code') return null
  const [, indent = '', fence] = /^( {0,3})(`{3,}|~{3,})/.exec(source.slice(last.start)) ?? []
  const firstLine = source.indexOf('\n', last.start) + 1
  if (!fence || firstLine === 0) return null
  return takeLines(
    { indent: indent.length, fence, settled: '', lineStart: offset + firstLine },
    source.slice(firstLine),
  )
}

/** Appends new text to the open fence. Null when there is none, or when the new text closes it. */
export function appendToFence(old: SplitText, text: string): SplitText | null {
  const { fence: open, blocks } = old
  const block = blocks.at(-1)
  if (!open || block?.node.type !== 'code') return null
  const fence = takeLines(open, text.slice(open.lineStart))
  if (!fence) return null
  const last = text.slice(fence.lineStart)
  const value = fence.settled + (isShown(fence, last) ? unindent(fence, last) : '')
  const node = { ...block.node, value: value.replace(/\n$/, '') }
  return { ...old, text, fence, blocks: [...blocks.slice(0, -1), { ...block, node, end: text.length }] }
}

/** Adds all lines but the last, which is still being written. Null when one of them closes the code. */
function takeLines(open: OpenFence, added: string): OpenFence | null {
  const lines = added.split('\n').slice(0, -1)
  if (lines.some((line) => closes(open, line))) return null
  const settled = open.settled + lines.map((line) => `${unindent(open, line)}\n`).join('')
  return { ...open, settled, lineStart: open.lineStart + added.lastIndexOf('\n') + 1 }
}

function closes({ fence }: OpenFence, line: string): boolean {
  const text = line.trim()
  return text.length >= fence.length && text === (fence[0] ?? '').repeat(text.length) && /^ {0,3}\S/.test(line)
}

/** The beginning of a closing fence is not shown as a line of code. */
function isShown(open: OpenFence, line: string): boolean {
  const text = line.trimStart()
  const isHalf = text !== '' && text !== open.fence && open.fence.startsWith(text)
  return !isHalf && !closes(open, line)
}

function unindent({ indent }: OpenFence, line: string): string {
  let from = 0
  while (from < indent && line[from] === ' ') from += 1
  return line.slice(from)
}
