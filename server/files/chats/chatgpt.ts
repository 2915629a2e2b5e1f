import { canvasTexts, fenced, type GptNode } from './canvas.ts'
import {
  type FindEntry,
  type Lost,
  NO_PICTURE,
  noFile,
  nothingLost,
  type ReadChat,
  type ReadDocument,
  type ReadPicture,
} from './chat.ts'
import { resolveCitations } from './citations.ts'
import { buildTree, joinTexts, type Shown, type TreeNode } from './tree.ts'
import { isObject, type Json, listOf, objectOf, textOf, textOrNull, timeOf } from './values.ts'
import { withoutWritingMarks } from './writing.ts'

export const isChatGptChat = (item: Json) => isObject(item.mapping) && !('inserted_at' in item)

/** A conversation of ChatGPT with what ChatGPT shows of it; null when that is nothing. */
export function readChatGpt(item: Json, findEntry: FindEntry): ReadChat | null {
  const lost = nothingLost()
  const mapping = objectOf(item.mapping)
  const createdAt = timeOf(item.create_time) ?? timeOf(item.update_time) ?? Date.now()
  const model = textOrNull(item.default_model_slug)
  const ordered = orderedNodes(mapping)
  const canvases = canvasTexts(ordered)
  const nodes = ordered.map(([id, node]) =>
    toNode(id, node, { findEntry, lost, model, canvas: canvases.get(id) ?? '' }),
  )
  const { messages, leaf } = buildTree(nodes, textOrNull(item.current_node), createdAt)
  if (leaf === null) return null
  return {
    source: 'chatgpt',
    id: textOf(item.conversation_id) || textOf(item.id),
    title: textOf(item.title),
    createdAt,
    updatedAt: timeOf(item.update_time) ?? messages.at(-1)?.createdAt ?? createdAt,
    archived: item.is_archived === true,
    pinned: item.is_starred === true,
    project: null,
    leaf,
    messages,
    lost,
  }
}

/** Versions of a message are ordered by the list of children; where it names none, by time. */
export function orderedNodes(mapping: Json): GptNode[] {
  const place = new Map<string, number>()
  for (const node of Object.values(mapping))
    for (const [at, child] of listOf(objectOf(node).children).entries()) place.set(textOf(child), at)
  const timeIn = (node: Json) => {
    const { create_time, inserted_at } = objectOf(node.message)
    return timeOf(create_time) ?? timeOf(inserted_at) ?? 0
  }
  return Object.entries(mapping)
    .map(([id, node]): GptNode => [id, objectOf(node)])
    .sort(([a, one], [b, other]) => (place.get(a) ?? 0) - (place.get(b) ?? 0) || timeIn(one) - timeIn(other))
}

interface Reading {
  findEntry: FindEntry
  lost: Lost
  /** Of the whole chat. */
  model: string | null
  /** What a message to a canvas shows. */
  canvas: string
}

function toNode(id: string, node: Json, reading: Reading): TreeNode {
  const message = objectOf(node.message)
  const isKnown = isObject(node.message)
  return {
    id,
    parent: textOrNull(node.parent),
    time: timeOf(message.create_time),
    shown: isKnown ? shownIn(message, reading) : null,
    thought: isKnown && !isHidden(message) ? thoughtIn(objectOf(message.content)) : '',
  }
}

function thoughtIn(content: Json): string {
  if (content.content_type !== 'thoughts') return ''
  return joinTexts(
    ...listOf(content.thoughts).map((thought) => {
      const { summary, content: text } = objectOf(thought)
      return joinTexts(textOf(summary) && `**${textOf(summary)}**`, textOf(text))
    }),
  )
}

const hiddenKinds =
  /^(thoughts|reasoning_recap|.*_editable_context|execution_output|tether_browsing_display|system_error)$/

function isHidden({ metadata }: Json): boolean {
  const { is_visually_hidden_from_conversation, is_user_system_message } = objectOf(metadata)
  return is_visually_hidden_from_conversation === true || is_user_system_message === true
}

function shownIn(message: Json, reading: Reading): Shown | null {
  const metadata = objectOf(message.metadata)
  const report = reportIn(metadata)
  if (report !== null) return answer(report, metadata, reading)
  if (isHidden(message)) return null
  const role = textOf(objectOf(message.author).role)
  const recipient = textOf(message.recipient) || 'all'
  const content = objectOf(message.content)
  if (role === 'assistant' && recipient.startsWith('canmore.'))
    return reading.canvas === '' ? null : answer(reading.canvas, metadata, reading)
  if (role === 'assistant' && recipient.startsWith('python')) return codeIn(content, metadata, reading)
  if (role === 'tool' && content.content_type === 'execution_output') return chartsIn(metadata, reading)
  if (hiddenKinds.test(textOf(content.content_type))) return null
  if (role === 'tool') return drawnIn(content, metadata, reading)
  if ((role !== 'user' && role !== 'assistant') || recipient !== 'all') return null
  const { text, pictures } = partsIn(content, reading)
  const shown = resolveCitations(text, metadata).trim()
  const attached = role === 'user' ? attachedIn(metadata, content, reading) : { documents: [], missing: '' }
  const whole = role === 'user' ? joinTexts(shown, attached.missing) : titled(withoutWritingMarks(shown), metadata)
  const { documents } = attached
  if (whole === '' && pictures.length + documents.length === 0) return null
  const model = role === 'assistant' ? modelIn(metadata, reading) : null
  return { role, content: whole, model, pictures, documents }
}

const modelIn = (metadata: Json, { model }: Reading) => textOrNull(metadata.model_slug) ?? model

const answer = (text: string, metadata: Json, reading: Reading): Shown => ({
  role: 'assistant',
  content: resolveCitations(text, metadata).trim(),
  model: modelIn(metadata, reading),
  pictures: [],
  documents: [],
})

/** What the code interpreter was given to run. */
function codeIn(content: Json, metadata: Json, reading: Reading): Shown | null {
  const code = textOf(content.text) || textsIn(content)
  return code.trim() === '' ? null : answer(fenced(code, 'python'), metadata, reading)
}

/** What that code drew; what it printed is not shown. */
function chartsIn(metadata: Json, reading: Reading): Shown | null {
  const parts = listOf(objectOf(metadata.aggregate_result).messages)
    .map(objectOf)
    .filter(({ message_type, image_url }) => message_type === 'image' && textOf(image_url) !== '')
    .map(({ image_url }) => ({ content_type: 'image_asset_pointer', asset_pointer: image_url }))
  return drawnIn({ parts }, metadata, reading)
}

/** A report of deep research says what it is about. */
function titled(text: string, metadata: Json): string {
  const isReport = textOf(metadata.async_task_id).startsWith('deepresch_')
  const title = textOf(metadata.async_task_title)
  return isReport && title !== '' ? `## ${title}\n\n${text}` : text
}

/** The text of a report in the state of its widget, which is JSON in a string. */
function reportIn(metadata: Json): string | null {
  const state = objectOf(metadata.chatgpt_sdk).widget_state
  if (typeof state !== 'string') return null
  try {
    const { report_message, title } = objectOf(JSON.parse(state))
    const message = objectOf(report_message)
    const text = textOf(report_message) || textsIn(objectOf(message.content)) || textOf(message.text)
    return text === ''
      ? null
      : joinTexts(textOf(title) && `## ${textOf(title)}`, resolveCitations(text, message.metadata))
  } catch {
    return null
  }
}

const textsIn = (content: Json) => joinTexts(...listOf(content.parts).map(textOf))

/** Of a tool ChatGPT shows only the pictures that it drew. */
function drawnIn(content: Json, metadata: Json, reading: Reading): Shown | null {
  const isPicture = (part: unknown) => objectOf(part).content_type === 'image_asset_pointer'
  const parts = listOf(content.parts).filter(isPicture)
  if (parts.length === 0) return null
  const { text, pictures } = partsIn({ content_type: 'multimodal_text', parts }, reading)
  return { ...answer(text, metadata, reading), pictures }
}

function partsIn(content: Json, reading: Reading): { text: string; pictures: ReadPicture[] } {
  const pictures: ReadPicture[] = []
  const kind = textOf(content.content_type)
  if (kind === 'code') return { text: fenced(textOf(content.text), textOf(content.language)), pictures }
  if (kind === 'tether_quote')
    return { text: joinTexts(`**${textOf(content.title)}**`, textOf(content.text), textOf(content.url)), pictures }
  const texts = listOf(content.parts).map((part) => {
    if (typeof part === 'string') return part
    const { content_type, text } = objectOf(part)
    if (content_type === 'image_asset_pointer') return pictureIn(objectOf(part), reading, pictures)
    if (/audio|video/.test(textOf(content_type)) && content_type !== 'audio_transcription') reading.lost.sounds += 1
    return textOf(text)
  })
  return { text: joinTexts(...texts, listOf(content.parts).length === 0 ? textOf(content.text) : ''), pictures }
}

function pictureIn(part: Json, { findEntry, lost }: Reading, pictures: ReadPicture[]): string {
  const id = textOf(part.asset_pointer)
    .replace(/^[a-z-]+:\/\//, '')
    .replace(/[?#].*/, '')
  const { gen_id, prompt } = objectOf(objectOf(part.metadata).dalle)
  const found = findEntry(id, textOf(gen_id))
  if (!found) {
    lost.pictures += 1
    return NO_PICTURE
  }
  pictures.push({ ...found, name: textOf(prompt).slice(0, 80) || 'Картинка' })
  return ''
}

/** Attached files whose bytes are in the archive, and the names of the others; pictures are in the parts already. */
function attachedIn(metadata: Json, content: Json, { lost, findEntry }: Reading) {
  const inParts = new Set(
    listOf(content.parts).map((part) => textOf(objectOf(part).asset_pointer).replace(/^[a-z-]+:\/\/|[?#].*/g, '')),
  )
  const documents: ReadDocument[] = []
  const missing: string[] = []
  for (const attachment of listOf(metadata.attachments)) {
    const [id, name] = [textOf(objectOf(attachment).id), textOf(objectOf(attachment).name)]
    if (name === '' || inParts.has(id)) continue
    const found = findEntry(id)
    if (found) documents.push({ name, content: found })
    else missing.push(noFile(name))
  }
  lost.files += missing.length
  return { documents, missing: joinTexts(...missing) }
}
