import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { readItem } from '../read-item.ts'

/** Shapes of the archives of each service, written by hand. */

interface GptNode {
  parent: string | null
  children?: string[]
  role?: string
  text?: string
  message?: object
}

export const gptMessage = (role: string, content: object | string, more: object = {}) => ({
  author: { role, name: null, metadata: {} },
  create_time: 1_700_000_100.5,
  content: typeof content === 'string' ? { content_type: 'text', parts: [content] } : content,
  status: 'finished_successfully',
  recipient: 'all',
  metadata: {},
  ...more,
})

/** A conversation of ChatGPT; nodes in their order, each with its message. */
export function gptChat(id: string, nodes: Record<string, GptNode>, more: object = {}) {
  const children = (parent: string) =>
    Object.entries(nodes).flatMap(([child, node]) => (node.parent === parent ? [child] : []))
  const mapping = Object.fromEntries(
    Object.entries(nodes).map(([nodeId, { parent, role, text, message, children: given }]) => [
      nodeId,
      {
        id: nodeId,
        parent,
        children: given ?? children(nodeId),
        message: message ?? (role ? { id: nodeId, ...gptMessage(role, text ?? nodeId) } : null),
      },
    ]),
  )
  return {
    title: `Чат ${id}`,
    create_time: 1_700_000_000.25,
    update_time: 1_700_000_500,
    mapping,
    current_node: Object.keys(nodes).at(-1),
    conversation_id: id,
    id,
    default_model_slug: 'gpt-4o',
    is_archived: false,
    ...more,
  }
}

/** A question and its answer. */
export const simpleGptChat = (id: string, question = `Вопрос ${id}`, answer = `Ответ ${id}`) =>
  gptChat(id, {
    [`${id}-root`]: { parent: null },
    [`${id}-q`]: { parent: `${id}-root`, role: 'user', text: question },
    [`${id}-a`]: { parent: `${id}-q`, role: 'assistant', text: answer },
  })

export const claudeChat = (id: string, more: object = {}) => ({
  uuid: id,
  name: 'Письмо поставщику',
  created_at: '2025-02-01T10:00:00.000000Z',
  updated_at: '2025-02-01T10:05:00.000000Z',
  account: { uuid: 'account' },
  model: 'claude-sonnet-4',
  chat_messages: [
    {
      uuid: 'm1',
      sender: 'human',
      text: 'Напиши письмо',
      created_at: '2025-02-01T10:00:00Z',
      content: [{ type: 'text', text: 'Напиши письмо' }],
      attachments: [
        { file_name: 'условия.txt', file_size: 20, file_type: 'txt', extracted_content: 'Срок две недели' },
      ],
      files: [{ file_name: 'скан.png' }],
    },
    {
      uuid: 'm2',
      sender: 'assistant',
      text: '',
      created_at: '2025-02-01T10:01:00Z',
      content: [
        { type: 'thinking', thinking: 'Нужен вежливый тон' },
        { type: 'text', text: 'Вот письмо.' },
        {
          type: 'tool_use',
          name: 'artifacts',
          input: { id: 'letter', type: 'text/markdown', title: 'Письмо', content: 'Добрый день!' },
        },
        { type: 'tool_result', content: [{ type: 'text', text: 'OK' }] },
      ],
      attachments: [],
      files: [],
    },
  ],
  ...more,
})

export const claudeProject = {
  uuid: 'project-1',
  name: 'Закупки',
  description: '',
  prompt_template: 'Отвечай коротко',
  docs: [{ uuid: 'd1', filename: 'правила.md', content: '# Правила' }],
}

export const deepSeekChat = (id: string) => ({
  id,
  title: 'Теорема',
  inserted_at: '2025-03-30T04:49:36.505000+08:00',
  updated_at: '2025-03-30T04:51:00.000000+08:00',
  mapping: {
    root: { id: 'root', parent: null, children: ['1'], message: null },
    1: {
      id: '1',
      parent: 'root',
      children: ['2', '3'],
      message: {
        files: [],
        model: 'deepseek-reasoner',
        inserted_at: '2025-03-30T04:49:36+08:00',
        fragments: [{ type: 'REQUEST', content: 'Докажи' }],
      },
    },
    2: {
      id: '2',
      parent: '1',
      children: [],
      message: {
        files: [],
        model: 'deepseek-reasoner',
        inserted_at: '2025-03-30T04:50:00+08:00',
        fragments: [
          { type: 'THINK', content: 'Пусть a…', elapsed_secs: 4 },
          { type: 'SEARCH', content: null },
          { type: 'RESPONSE', content: 'Первое доказательство' },
        ],
      },
    },
    3: {
      id: '3',
      parent: '1',
      children: [],
      message: {
        files: [],
        model: 'deepseek-chat',
        inserted_at: '2025-03-30T04:50:30+08:00',
        fragments: [{ type: 'RESPONSE', content: 'Второе' }],
      },
    },
  },
})

export const json = (value: unknown) => strToU8(JSON.stringify(value))

export const zipOf = (files: Record<string, Uint8Array | string>) =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          name,
          typeof content === 'string' ? strToU8(content) : content,
        ]),
      ),
    ),
  )

export async function writeArchive(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

/** What the reader makes of one chat; the pictures in `known` are in the archive. */
export function chatOf(item: unknown, known: string[] = []) {
  const read = readItem(JSON.stringify(item), (...ids) => {
    const entry = known.findIndex((name) => ids.includes(name))
    return entry < 0 ? null : { file: 0, entry }
  })
  if (read.type !== 'chat') throw new Error(`Not a chat: ${JSON.stringify(read)}`)
  return read.chat
}

/** Texts of the shown branch. */
export function shownLine({ messages, leaf }: ReturnType<typeof chatOf>): string[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const line: string[] = []
  for (let at = byId.get(leaf); at; at = at.parent === null ? undefined : byId.get(at.parent))
    line.unshift(`${at.role}: ${at.content}`)
  return line
}
