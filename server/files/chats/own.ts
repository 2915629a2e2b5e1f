import { type FindEntry, noFile, nothingLost, type ReadChat, type ReadDocument, type ReadProject } from './chat.ts'
import { buildTree, joinTexts, type TreeNode } from './tree.ts'
import { isObject, type Json, listOf, objectOf, textOf, textOrNull, timeOf } from './values.ts'

/** A thread of «Скачать мои данные» has `messages`, a thread that was exported alone has `Messages`. */
export const isOwnChat = (item: Json) => typeof item.id === 'string' && messagesIn(item) !== null

const messagesIn = (item: Json) =>
  Array.isArray(item.messages) ? item.messages : Array.isArray(item.Messages) ? item.Messages : null

export function readOwn(item: Json, findEntry: FindEntry): ReadChat | null {
  if (textOf(item.deletedAt) !== '') return null
  const lost = nothingLost()
  const createdAt = timeOf(item.createdAt) ?? Date.now()
  const nodes = listOf(messagesIn(item))
    .filter(isObject)
    .map((message): TreeNode => {
      const { thought } = message
      const role = message.role === 'user' ? ('user' as const) : ('assistant' as const)
      const { documents, missing } = filesIn(message.files, findEntry)
      lost.files += missing.length
      const content = joinTexts(textOf(message.content).trim(), ...missing.map(noFile))
      const model = role === 'assistant' ? textOrNull(message.modelId) : null
      return {
        id: textOf(message.id),
        parent: textOrNull(message.parentId),
        time: timeOf(message.createdAt),
        shown: content === '' && documents.length === 0 ? null : { role, content, model, pictures: [], documents },
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
    project: textOrNull(item.projectId),
    leaf,
    messages,
    lost,
  }
}

/** Files that the archive has, and the names of those that it only names. */
function filesIn(list: unknown, findEntry: FindEntry): { documents: ReadDocument[]; missing: string[] } {
  const documents: ReadDocument[] = []
  const missing: string[] = []
  for (const file of listOf(list)) {
    const [id, name] = [textOf(objectOf(file).id), textOf(objectOf(file).name)]
    const content = findEntry(entryId(id))
    if (content) documents.push({ id, name, content })
    else if (name !== '') missing.push(name)
  }
  return { documents, missing }
}

/** How the name of a file begins in the archive of a project. */
export const entryId = (fileId: string) => `file_${fileId.replaceAll('-', '')}`

export const isOwnProject = (item: Json) =>
  typeof item.id === 'string' && typeof item.instructions === 'string' && typeof item.icon === 'string'

export function readOwnProject(item: Json, findEntry: FindEntry): ReadProject {
  const { documents, missing } = filesIn(item.files, findEntry)
  return {
    source: 'symbol',
    id: textOf(item.id),
    name: textOf(item.name),
    icon: textOf(item.icon),
    instructions: textOf(item.instructions),
    settings: {
      country: textOrNull(item.country),
      replacesPersonal: item.replacesPersonal === true,
      searchWords: item.searchWords !== false,
      archived: item.archived === true,
    },
    documents,
    lostFiles: missing.length,
  }
}
