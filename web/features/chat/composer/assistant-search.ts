import { type Assistant, assistantsApi } from '#contract/assistants.ts'
import { call } from '#contract/call.ts'
import type { Suggestion } from './suggest-source.ts'

export async function findAssistants(query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const all = await call(assistantsApi.list, {}, (url, init) => fetch(url, { ...init, signal }))
  return matching(all, query).map(({ id, name, avatar, description }) => ({
    id,
    title: avatar.startsWith('data:') ? name : `${avatar} ${name}`,
    hint: description,
  }))
}

/** Every word of the search begins a word of the name or the description. */
export function matching<Given extends Pick<Assistant, 'name' | 'description'>>(
  all: readonly Given[],
  query: string,
): Given[] {
  const words = plain(query).split(/\s+/).filter(Boolean)
  return all.filter(({ name, description }) => {
    const text = ` ${plain(name)} ${plain(description)}`
    return words.every((word) => text.includes(` ${word}`))
  })
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[«»"(),.:;!?]/g, ' ')
