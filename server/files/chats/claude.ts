import { readTags } from './artifacts.ts'
import { documentText, fenced } from './canvas.ts'
import {
  type FindEntry,
  noFile,
  nothingLost,
  type ReadChat,
  type ReadDocument,
  type ReadProject,
  usualSettings,
} from './chat.ts'
import { buildTree, joinTexts, type TreeNode } from './tree.ts'
import { isObject, type Json, listOf, objectOf, textOf, textOrNull, timeOf } from './values.ts'

export const isClaudeChat = (item: Json) => Array.isArray(item.chat_messages)

export const isClaudeProject = (item: Json) =>
  typeof item.uuid === 'string' && (Array.isArray(item.docs) || typeof item.prompt_template === 'string')

export function readClaude(item: Json, _findEntry: FindEntry): ReadChat | null {
  const lost = nothingLost()
  const createdAt = timeOf(item.created_at) ?? Date.now()
  const model = textOrNull(item.model)
  const all = listOf(item.chat_messages).filter(isObject)
  // Archives without parents have one branch, in order.
  const hasParents = all.some(({ parent_message_uuid }) => textOf(parent_message_uuid) !== '')
  const idOf = (message: Json | undefined, at: number) => (message ? textOf(message.uuid) || `#${at}` : null)
  const nodes = all.map((message, at): TreeNode => {
    const { text, thought } = blocksIn(message)
    const role = message.sender === 'human' ? ('user' as const) : ('assistant' as const)
    const documents = documentsIn(message)
    const missing = namesOf(message.files)
    lost.files += missing.length
    const content = joinTexts(text, ...missing.map(noFile))
    const isEmpty = content === '' && documents.length === 0
    return {
      id: idOf(message, at) ?? '',
      parent: hasParents ? textOrNull(message.parent_message_uuid) : idOf(all[at - 1], at - 1),
      time: timeOf(message.created_at),
      shown: isEmpty ? null : { role, content, model: role === 'assistant' ? model : null, pictures: [], documents },
      thought,
    }
  })
  const { messages, leaf } = buildTree(nodes, textOrNull(item.current_leaf_message_uuid), createdAt)
  if (leaf === null) return null
  return {
    source: 'claude',
    id: textOf(item.uuid),
    title: textOf(item.name),
    createdAt,
    updatedAt: timeOf(item.updated_at) ?? createdAt,
    archived: false,
    pinned: item.is_starred === true,
    project: textOrNull(item.project_uuid) ?? textOrNull(objectOf(item.project).uuid),
    leaf,
    messages,
    lost,
  }
}

function blocksIn(message: Json): { text: string; thought: string } {
  const blocks = listOf(message.content).filter(isObject)
  const thoughts: string[] = []
  const spoken = (text: string) => {
    if (message.sender === 'human') return text
    const read = readTags(text, (input) => madeBy('artifacts', input))
    thoughts.push(read.thought)
    return read.text
  }
  const texts = blocks.map((block) => {
    if (block.type === 'thinking') thoughts.push(textOf(block.thinking))
    if (block.type === 'text') return spoken(textOf(block.text))
    return block.type === 'tool_use' ? madeBy(textOf(block.name), objectOf(block.input)) : ''
  })
  const text = joinTexts(...texts).trim() || spoken(textOf(message.text)).trim()
  return { text, thought: joinTexts(...thoughts) }
}

const languages: Record<string, string> = {
  'application/vnd.ant.react': 'jsx',
  'application/vnd.ant.mermaid': 'mermaid',
  'text/html': 'html',
  'image/svg+xml': 'svg',
}

/** Artifacts and files that the model wrote, as text with their title. */
function madeBy(tool: string, input: Json): string {
  if (tool === 'artifacts') {
    const kind = textOf(input.type)
    const language = languages[kind] ?? (kind === 'application/vnd.ant.code' ? textOf(input.language) || 'text' : '')
    const text = textOf(input.content) || textOf(input.new_str)
    return documentText(textOf(input.title) || textOf(input.id), language ? `code/${language}` : 'document', text)
  }
  if (tool === 'repl') return textOf(input.code).trim() && fenced(textOf(input.code), 'javascript')
  if (tool !== 'create_file' && tool !== 'str_replace') return ''
  const path = textOf(input.path)
  const text = textOf(input.file_text) || textOf(input.content) || textOf(input.new_str)
  const language = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1] ?? ''
  const title = tool === 'create_file' ? path : `Правка: ${path}`
  return text === '' ? '' : joinTexts(`**${title}**`, /^(md|txt|)$/i.test(language) ? text : fenced(text, language))
}

const documentsIn = (message: Json): ReadDocument[] =>
  listOf(message.attachments).flatMap((attachment) => {
    const { file_name, extracted_content } = objectOf(attachment)
    const content = textOf(extracted_content)
    return content.trim() === '' ? [] : [{ name: textOf(file_name) || 'Вставленный текст', content }]
  })

const namesOf = (files: unknown) => listOf(files).flatMap((file) => textOrNull(objectOf(file).file_name) ?? [])

export const readClaudeProject = (item: Json): ReadProject => ({
  source: 'claude',
  id: textOf(item.uuid),
  name: textOf(item.name),
  icon: '',
  lostFiles: 0,
  instructions: textOf(item.prompt_template),
  settings: usualSettings,
  documents: listOf(item.docs).flatMap((doc) => {
    const { filename, content } = objectOf(doc)
    return textOf(content).trim() === '' ? [] : [{ name: textOf(filename) || 'Документ', content: textOf(content) }]
  }),
})
