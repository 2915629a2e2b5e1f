import { type FindPicture, noFile, nothingLost, type ReadChat } from './chat.ts'
import { buildTree, joinTexts, type TreeNode } from './tree.ts'
import { isObject, type Json, listOf, objectOf, textOf, textOrNull, timeOf } from './values.ts'

/** A thread of «Скачать мои данные» has `messages`, a thread that was exported alone has `Messages`. */
export const isOwnChat = (item: Json) => typeof item.id === 'string' && messagesIn(item) !== null

const messagesIn = (item: Json) =>
  Array.isArray(item.messages) ? item.messages : Array.isArray(item.Messages) ? item.Messages : null

export function readOwn(item: Json, _findPicture: FindPicture): ReadChat | null {
  if (textOf(item.deletedAt) !== '') return null
  const lost = nothingLost()
  const createdAt = timeOf(item.createdAt) ?? Date.now()
  const nodes = listOf(messagesIn(item))
    .filter(isObject)
    .map((message): TreeNode => {
      const { thought } = message
      const role = message.role === 'user' ? ('user' as const) : ('assistant' as const)
      const missing = listOf(message.files).flatMap((file) => textOrNull(objectOf(file).name) ?? [])
      lost.files += missing.length
      const content = joinTexts(textOf(message.content).trim(), ...missing.map(noFile))
      const model = role === 'assistant' ? textOrNull(message.modelId) : null
      return {
        id: textOf(message.id),
        parent: textOrNull(message.parentId),
        time: timeOf(message.createdAt),
        shown: content === '' ? null : { role, content, model, pictures: [], documents: [] },
        thought: textOf(thought) || textOf(objectOf(thought).text),
      }
    })
  const { messages, leaf } = buildTree(nodes, textOrNull(item.currentLeafId), createdAt)
  if (leaf === null) return null
  return {
    source: 'symbol',
    id: textOf(item.id),
    title: textOf(item.title),
    createdAt,
    updatedAt: timeOf(item.updatedAt) ?? messages.at(-1)?.createdAt ?? createdAt,
    archived: item.archived === true,
    pinned: item.pinned === true,
    project: null,
    leaf,
    messages,
    lost,
  }
}
