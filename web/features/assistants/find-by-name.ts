import type { Assistant } from '#contract/assistants.ts'

/** Those whose name or description has every word of the search in it. */
export function findByName<Given extends Pick<Assistant, 'name' | 'description'>>(
  all: readonly Given[],
  query: string,
): Given[] {
  const words = plain(query).split(/\s+/).filter(Boolean)
  return all.filter(({ name, description }) => {
    const text = plain(`${name} ${description}`)
    return words.every((word) => text.includes(word))
  })
}

const plain = (text: string) => text.toLowerCase().replaceAll('ё', 'е')
