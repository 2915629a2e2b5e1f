import { createHash } from 'node:crypto'
import { storableText } from '#server/lib/storable.ts'
import { cutText, type FindEntry, type ReadChat, type ReadDocument, type ReadProject } from './chat.ts'
import { isChatGptChat, readChatGpt } from './chatgpt.ts'
import { isClaudeChat, isClaudeProject, readClaude, readClaudeProject } from './claude.ts'
import { isDeepSeekChat, readDeepSeek } from './deepseek.ts'
import { isOwnChat, isOwnProject, readOwn, readOwnProject } from './own.ts'
import { isObject, type Json, listOf, textOf } from './values.ts'

/** Why something of an archive was not taken. The page has a sentence for each. */
export type SkipReason = 'broken' | 'too-large' | 'empty' | 'too-many-messages' | 'cut-off'

export type ReadItem =
  | { type: 'chat'; chat: ReadChat }
  | { type: 'project'; project: ReadProject }
  /** Of a file that breaks off: its name, empty for the file of the import itself, and the chats before that place. */
  | { type: 'skipped'; reason: SkipReason; name: string; chats?: number }
  /** Not a chat at all. */
  | { type: 'other' }

/** The lists that hold chats or projects when the file is an object. */
export const LIST_KEYS = ['threads', 'conversations', 'chats', 'projects']

const MAX_MESSAGES = 20_000
const MAX_TITLE = 200
const MAX_ID = 200

const readers = [
  { is: isDeepSeekChat, read: readDeepSeek },
  { is: isChatGptChat, read: readChatGpt },
  { is: isClaudeChat, read: readClaude },
  { is: isOwnChat, read: readOwn },
]

/**
 * Recognises a chat or a project by its shape. `isChat`: the file has nothing but chats, so that what is not recognised
 * is a damaged one.
 */
export function readItem(text: string, findEntry: FindEntry, isChat = false): ReadItem {
  let item: unknown
  try {
    item = JSON.parse(text)
  } catch {
    return { type: 'skipped', reason: 'broken', name: titleIn(text) }
  }
  if (!isObject(item)) return { type: 'other' }
  if (isClaudeProject(item)) return { type: 'project', project: tidyProject(readClaudeProject(item)) }
  if (isOwnProject(item)) return { type: 'project', project: tidyProject(readOwnProject(item, findEntry)) }
  const reader = readers.find(({ is }) => is(item as Json))
  const name = nameOf(item)
  if (!reader) return isChat || wasChat(item) ? { type: 'skipped', reason: 'broken', name } : { type: 'other' }
  try {
    const chat = reader.read(item, findEntry)
    if (!chat) return { type: 'skipped', reason: hasDamage(item) ? 'broken' : 'empty', name }
    if (chat.messages.length > MAX_MESSAGES) return { type: 'skipped', reason: 'too-many-messages', name }
    return { type: 'chat', chat: tidy(chat, text) }
  } catch {
    return { type: 'skipped', reason: 'broken', name }
  }
}

/** It has the field that only chats have, and in it something else than messages. */
const wasChat = (item: Json) =>
  'mapping' in item ||
  'chat_messages' in item ||
  (typeof item.id === 'string' && ('messages' in item || 'Messages' in item))

/** Nothing can be read of it, though messages stand there. */
function hasDamage({ mapping, chat_messages, messages, Messages, deletedAt }: Json): boolean {
  if (textOf(deletedAt) !== '') return false
  const isWrong = (message: unknown) => message !== null && message !== undefined && !isObject(message)
  const nodes = isObject(mapping) ? Object.values(mapping) : []
  return (
    nodes.some((node) => !isObject(node) || isWrong(node.message)) ||
    [chat_messages, messages, Messages].some((list) => listOf(list).some((message) => !isObject(message)))
  )
}

const nameOf = ({ title, name }: Json) =>
  storableText(typeof title === 'string' ? title : typeof name === 'string' ? name : '').slice(0, MAX_TITLE)

/** The title of a chat that does not parse or is too long, so that the report can name it. */
export const titleIn = (text: string) =>
  storableText(/"(?:title|name)"\s*:\s*"([^"\\]{1,200})"/.exec(text.slice(0, 2000))?.[1] ?? '')

const tidyDocument = ({ id, name, content }: ReadDocument): ReadDocument => ({
  ...(id !== undefined && { id: storableText(id).slice(0, MAX_ID) }),
  name: storableText(name).slice(0, MAX_ID),
  content: typeof content === 'string' ? storableText(content) : content,
})

const tidyProject = (project: ReadProject): ReadProject => ({
  ...project,
  id: storableText(project.id).slice(0, MAX_ID),
  name: storableText(project.name).slice(0, MAX_TITLE),
  instructions: storableText(project.instructions),
  documents: project.documents.map(tidyDocument),
})

function tidy(chat: ReadChat, text: string): ReadChat {
  const plain = (value: string) => storableText(value).slice(0, MAX_ID)
  return {
    ...chat,
    // A chat without an id is known by its content.
    id: plain(chat.id) || createHash('sha256').update(text).digest('hex'),
    title: storableText(chat.title).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE),
    leaf: plain(chat.leaf),
    project: chat.project === null ? null : plain(chat.project),
    messages: chat.messages.map((message) => ({
      ...message,
      id: plain(message.id),
      parent: message.parent === null ? null : plain(message.parent),
      content: cutText(storableText(message.content)),
      thought: cutText(storableText(message.thought)),
      model: message.model === null ? null : plain(message.model).slice(0, 80),
      documents: message.documents.map(tidyDocument).map(({ name, content }) => ({
        name,
        content: typeof content === 'string' ? cutText(content) : content,
      })),
    })),
  }
}
