import { fenceFor } from '#server/lib/code-fence.ts'
import { replaceMatches, type Steps } from './pattern.ts'
import { joinTexts } from './tree.ts'
import { type Json, listOf, objectOf, textOf, textOrNull } from './values.ts'

export type GptNode = [id: string, node: Json]

interface Canvas {
  id: string
  title: string
  kind: string
  /** Null when an edit could not be applied: what it says from then on is not known. */
  text: string | null
}

/** What is known behind a node of the tree. */
interface State {
  canvases: Map<string, Canvas>
  /** The one that an edit without a name means. */
  current: string | null
  /** Showed the text of `current` in this turn: a next edit takes its place. */
  shownBy: string | null
}

const NOTHING: State = { canvases: new Map(), current: null, shownBy: null }
const MAX_CANVAS = 400_000
/** Of all texts of a chat: each edit shows the whole text once more. */
const MAX_SHOWN = 2_000_000
const STEPS = { atLeast: 200_000, perSymbol: 100 }

const CREATE = 'canmore.create_textdoc'
const UPDATE = 'canmore.update_textdoc'
const recipientOf = (node: Json | undefined) => textOf(objectOf(node?.message).recipient)
const isCall = (node: Json | undefined) => recipientOf(node) === CREATE || recipientOf(node) === UPDATE

/**
 * What messages to a canvas show, by node: its title and its text after all edits of that branch. Of several edits in
 * one turn the last one shows it. An edit that cannot be applied shows the words that it wanted to put in.
 */
export function canvasTexts(nodes: GptNode[]): Map<string, string> {
  const shown = new Map<string, string>()
  if (!nodes.some(([, node]) => isCall(node))) return shown
  const known = new Map(nodes)
  const parentOf = (id: string) => textOrNull(known.get(id)?.parent)
  const followers = new Map<string | null, string[]>()
  for (const [id] of nodes) followers.set(parentOf(id), [...(followers.get(parentOf(id)) ?? []), id])
  const calls = nodes.filter(([, node]) => isCall(node)).map(([, node]) => callIn(node).text)
  const steps: Steps = {
    left: STEPS.atLeast + STEPS.perSymbol * calls.reduce((sum, text) => sum + text.length, 0),
  }
  let room = MAX_SHOWN

  function after(state: State, id: string): State {
    const node = known.get(id)
    const isUser = objectOf(objectOf(node?.message).author).role === 'user'
    const isOnly = followers.get(parentOf(id))?.length === 1
    const before = isUser || !isOnly ? { ...state, shownBy: null } : state
    if (!node || !isCall(node)) return before
    const { call } = callIn(node)
    const result = objectOf(resultOf(id, known, followers))
    if (recipientOf(node) === CREATE) {
      const canvas = {
        id: textOf(result.textdoc_id) || id,
        title: textOf(result.title) || textOf(call.name),
        kind: textOf(call.type),
        text: textOf(call.content),
      }
      shown.set(id, textWith(canvas))
      return { canvases: new Map(before.canvases).set(canvas.id, canvas), current: canvas.id, shownBy: id }
    }
    const named = textOf(result.textdoc_id)
    const canvas = before.canvases.get(named === '' ? (before.current ?? '') : named)
    const text = canvas && result.is_failure !== true ? edited(canvas.text, call, steps) : null
    if (!canvas || text === null || text.length > room) {
      shown.set(id, editsIn(call, canvas?.title ?? ''))
      // ChatGPT did not apply it either.
      if (!canvas || result.is_failure === true) return { ...before, shownBy: null }
      const lost = { ...canvas, text: null }
      return { canvases: new Map(before.canvases).set(canvas.id, lost), current: canvas.id, shownBy: null }
    }
    room -= text.length
    const changed = { ...canvas, title: textOf(result.title) || canvas.title, text }
    if (before.shownBy !== null && before.current === canvas.id) shown.delete(before.shownBy)
    shown.set(id, textWith(changed))
    return { canvases: new Map(before.canvases).set(canvas.id, changed), current: canvas.id, shownBy: id }
  }

  const states = new Map<string, State>()
  for (const [id] of nodes) {
    const path = new Set<string>()
    let at: string | null = id
    for (; at !== null && known.has(at) && !states.has(at) && !path.has(at); at = parentOf(at)) path.add(at)
    let state = (at === null ? undefined : states.get(at)) ?? NOTHING
    for (const each of [...path].toReversed()) {
      state = after(state, each)
      states.set(each, state)
    }
  }
  return shown
}

/** What the canvas answered, in the node that follows. */
function resultOf(id: string, known: Map<string, Json>, followers: Map<string | null, string[]>): unknown {
  for (const next of followers.get(id) ?? []) {
    const { author, metadata } = objectOf(known.get(next)?.message)
    if (objectOf(author).role === 'tool') return objectOf(metadata).canvas
  }
  return undefined
}

function callIn(node: Json): { text: string; call: Json } {
  const content = objectOf(objectOf(node.message).content)
  const text = listOf(content.parts).map(textOf).join('') || textOf(content.text)
  try {
    return { text, call: objectOf(JSON.parse(text)) }
  } catch {
    return { text, call: {} }
  }
}

/** Patterns for all of the text, whatever it is. */
const WHOLE = /^(?:\(\?s\))?\^?(?:\.|\[\\s\\S\])[*+]\$?$/

function edited(text: string | null, call: Json, steps: Steps): string | null {
  const updates = listOf(call.updates).map(objectOf)
  if (updates.length === 0) return null
  let result = text
  for (const update of updates) {
    const pattern = textOf(update.pattern)
    const isWhole = WHOLE.test(pattern)
    if (result === null && !isWhole) return null
    const edit = {
      pattern: isWhole ? '.*' : pattern,
      replacement: textOf(update.replacement),
      isMultiple: !isWhole && update.multiple === true,
    }
    result = replaceMatches(result ?? '', edit, MAX_CANVAS, steps)
    if (result === null) return null
  }
  return result
}

const editsIn = (call: Json, title: string) =>
  joinTexts(
    ...listOf(call.updates).map((update) =>
      documentText(
        title === '' ? 'Правка документа' : `Правка: ${title}`,
        'document',
        textOf(objectOf(update).replacement),
      ),
    ),
  )

const textWith = ({ title, kind, text }: Canvas) => documentText(title, kind, text ?? '')

export function documentText(title: string, kind: string, text: string): string {
  if (text.trim() === '') return ''
  const language = /^code\/([\w+#-]+)/.exec(kind)?.[1]
  return joinTexts(title && `**${title.replaceAll('_', ' ')}**`, language ? fenced(text, language) : text)
}

export function fenced(text: string, language: string): string {
  if (text.trim() === '') return ''
  const fence = fenceFor([text])
  return `${fence}${/^[\w+#.-]{1,30}$/.test(language) && language !== 'unknown' ? language : ''}\n${text}\n${fence}`
}
