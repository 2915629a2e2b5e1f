import { type FindEntry, noFile, nothingLost, type ReadChat } from './chat.ts'
import { orderedNodes } from './chatgpt.ts'
import { pageLink, webAddress } from './citations.ts'
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
    const text = textOf(message.content)
    if (isUser) return { role: 'user', text, thought }
    const pages = pagesIn(listOf(message.search_results))
    return { role: 'assistant', text: withSources(text, pages), thought: resolveMarks(thought, pages) }
  }
  const all = (kind: string) =>
    joinTexts(...fragments.filter(({ type }) => type === kind).map(({ content }) => textOf(content)))
  const question = all('REQUEST')
  if (question !== '') return { role: 'user', text: question, thought: '' }
  const pages = pagesIn(fragments.flatMap(({ type, results }) => (type === 'SEARCH' ? listOf(results) : [])))
  return { role: 'assistant', text: withSources(all('RESPONSE'), pages), thought: resolveMarks(all('THINK'), pages) }
}

interface FoundPage {
  url: string
  link: string
}

/** By the number that the marks in the text name: the pages have it, or are in its order. */
function pagesIn(results: unknown[]): Map<number, FoundPage> {
  const pages = new Map<number, FoundPage>()
  for (const [at, result] of results.filter(isObject).entries()) {
    const [url, link] = [webAddress(textOf(result.url)), pageLink(result)]
    const number = typeof result.cite_index === 'number' ? result.cite_index : at + 1
    if (url !== null && !pages.has(number)) pages.set(number, { url, link })
  }
  return pages
}

const MARK = /[ \t]?\[(?:citation|reference):\s?(\d{1,4}(?:\s?,\s?\d{1,4}){0,30})\]/g

/** A mark of a page that is not in the archive goes. */
const resolveMarks = (text: string, pages: Map<number, FoundPage>) =>
  text.replace(MARK, (_, numbers: string) =>
    numbers
      .split(',')
      .map((number) => ({ number: Number(number), page: pages.get(Number(number)) }))
      .map(({ number, page }) => (page ? ` [${number}](${page.url})` : ''))
      .join(''),
  )

/** All that was found stays with the answer, cited or not. */
function withSources(text: string, pages: Map<number, FoundPage>): string {
  const resolved = resolveMarks(text, pages)
  if (resolved.trim() === '' || pages.size === 0) return resolved
  const list = [...pages].toSorted(([a], [b]) => a - b).map(([number, { link }]) => `${number}. ${link}`)
  return joinTexts(resolved.trim(), '**Источники**', list.join('\n'))
}
