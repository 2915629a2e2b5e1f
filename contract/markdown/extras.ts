import type { Blockquote, ListItem, Nodes, Parent, PhrasingContent, RootContent, Text } from 'mdast'

/** The only tags that an answer may use besides `<br>`: without attributes, and both halves in one paragraph. */
export interface Script extends Parent {
  type: 'subscript' | 'superscript'
  children: PhrasingContent[]
}

declare module 'mdast' {
  interface PhrasingContentMap {
    subscript: Script
    superscript: Script
  }
  interface RootContentMap {
    subscript: Script
    superscript: Script
  }
  interface Blockquote {
    /** The kind of a quote that begins with «[!NOTE]». */
    note?: NoteKind
  }
}

export const noteTitles = {
  NOTE: 'Заметка',
  TIP: 'Совет',
  IMPORTANT: 'Важно',
  WARNING: 'Внимание',
  CAUTION: 'Осторожно',
} as const
export type NoteKind = keyof typeof noteTitles

const MAY_HAVE = /<su[bp]>|\[!|(?:[-*+]|\d[.)])[ \t]+>/i

/** Reads what Markdown has no node for: indices, notes, and a comparison that begins an item of a list. */
export function readExtras(nodes: RootContent[], source: string): RootContent[] {
  if (MAY_HAVE.test(source)) for (const node of nodes) readNode(node)
  return nodes
}

function readNode(node: Nodes): void {
  if (!('children' in node)) return
  if (node.type === 'blockquote') readNote(node)
  if (node.type === 'listItem') readComparison(node)
  const parent: Parent = node
  if (parent.children.some(({ type }) => type === 'html')) parent.children = withScripts(parent.children)
  for (const child of parent.children) readNode(child)
}

const TAG = /^<(\/?)(sub|sup)>$/i
const DEEPEST = 3

/** Pairs of tags become nodes; a tag without its other half stays as it is written. */
function withScripts(nodes: readonly Nodes[]): RootContent[] {
  const out: Nodes[] = []
  let open: { tag: string; at: number }[] = []
  for (const node of nodes) {
    const [, slash, name] = (node.type === 'html' && TAG.exec(node.value)) || []
    const tag = name?.toLowerCase()
    const last = open.at(-1)
    if (tag && slash === '' && open.length < DEEPEST) open.push({ tag, at: out.length })
    if (!slash || !last || last.tag !== tag) {
      if (slash) open = []
      out.push(node)
      continue
    }
    open.pop()
    const [, ...children] = out.splice(last.at) as PhrasingContent[]
    out.push({ type: tag === 'sub' ? 'subscript' : 'superscript', children })
  }
  return out as RootContent[]
}

const NOTE = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)?/i

/** `> [!NOTE]` with the text of the note below it or behind it. */
function readNote(quote: Blockquote): void {
  const paragraph = quote.children[0]
  const text = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined
  const found = text?.type === 'text' ? NOTE.exec(text.value) : null
  if (paragraph?.type !== 'paragraph' || !found) return
  quote.note = (found[1] ?? '').toUpperCase() as NoteKind
  const value = (text as Text).value.slice(found[0].length)
  const rest = paragraph.children.slice(paragraph.children[1]?.type === 'break' && value === '' ? 2 : 1)
  const children: PhrasingContent[] = value === '' ? rest : [{ ...(text as Text), value }, ...rest]
  quote.children =
    children.length > 0 ? [{ ...paragraph, children }, ...quote.children.slice(1)] : quote.children.slice(1)
}

const NUMBER = /^=?\s*[$€£₽~]?\d/

/** `- > 25: дорого` compares and is no quote. */
function readComparison(item: ListItem): void {
  const [quote, ...others] = item.children
  if (quote?.type !== 'blockquote' || !quote.position || quote.position.start.line !== quote.position.end.line) return
  const [paragraph, ...more] = quote.children
  const text = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined
  if (paragraph?.type !== 'paragraph' || text?.type !== 'text' || more.length > 0 || !NUMBER.test(text.value)) return
  const gap = (paragraph.position?.start.offset ?? 0) - (quote.position.start.offset ?? 0)
  const value = `${gap > 1 ? '> ' : '>'}${text.value}`
  item.children = [{ ...paragraph, children: [{ ...text, value }, ...paragraph.children.slice(1)] }, ...others]
}
