import { type FindEntry, noFile, nothingLost, type ReadChat } from './chat.ts'
import { orderedNodes } from './chatgpt.ts'
import { buildTree, joinTexts, type TreeNode } from './tree.ts'
import { isObject, type Json, listOf, objectOf, textOf, textOrNull, timeOf } from './values.ts'

export const isDeepSeekChat = (item: Json) => isObject(item.mapping) && 'inserted_at' in item

export function readDeepSeek(item: Json, _findEntry: FindEntry): ReadChat | null {
  const lost = nothingLost()
  const createdAt = timeOf(item.inserted_at) ?? Date.now()
  const nodes = orderedNodes(objectOf(item.mapping)).map(([id, node]): TreeNode => {
    const message = objectOf(node.message)
    const { role, text, thought } = spokenIn(message)
    const missing = listOf(message.files).flatMap(
      (file) => textOrNull(objectOf(file).file_name) ?? textOrNull(objectOf(file).name) ?? [],
    )
    lost.files += missing.length
    const content = joinTexts(text.trim(), ...missing.map(noFile))
    const model = role === 'assistant' ? textOrNull(message.model) : null
    return {
      id,
      parent: textOrNull(node.parent),
      time: timeOf(message.inserted_at),
      shown: content === '' ? null : { role, content, model, pictures: [], documents: [] },
      thought,
    }
  })
  const { messages, leaf } = buildTree(nodes, textOrNull(item.current_node), createdAt)
  if (leaf === null) return null
  return {
    source: 'deepseek',
    id: textOf(item.id),
    title: textOf(item.title),
    createdAt,
    updatedAt: timeOf(item.updated_at) ?? createdAt,
    archived: false,
    pinned: false,
    project: null,
    leaf,
    messages,
    lost,
  }
}

/** The role is that of the fragments. Older files have `content` and `reasoning_content` instead of them. */
function spokenIn(message: Json): { role: 'user' | 'assistant'; text: string; thought: string } {
  const fragments = listOf(message.fragments).filter(isObject)
  if (fragments.length === 0) {
    const thought = textOf(message.reasoning_content)
    const isUser = /^user$/i.test(textOf(message.role))
    return { role: isUser ? 'user' : 'assistant', text: textOf(message.content), thought }
  }
  const all = (kind: string) =>
    joinTexts(...fragments.filter(({ type }) => type === kind).map(({ content }) => textOf(content)))
  const question = all('REQUEST')
  if (question !== '') return { role: 'user', text: question, thought: '' }
  return { role: 'assistant', text: all('RESPONSE'), thought: all('THINK') }
}
