import { textOf } from './values.ts'

/** What a tag shows instead of itself. */
type WriteArtifact = (input: Record<string, unknown>) => string

const THINKING = /(?<!`)<antThinking>([\s\S]*?)(?:<\/antThinking>|$)/g
const ARTIFACT = /(?<!`)<antArtifact((?:\s+[\w-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)(?:<\/antArtifact>|$))/g
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g

/** In 2024 Claude wrote its thoughts and its artifacts as tags into the text. One that is not closed goes to the end. */
export function readTags(text: string, write: WriteArtifact): { text: string; thought: string } {
  const thoughts: string[] = []
  const spoken = text
    .replace(THINKING, (_, thought: string) => {
      thoughts.push(thought.trim())
      return ''
    })
    .replace(ARTIFACT, (_, attributes: string, content: string | undefined) => {
      const named = Object.fromEntries(
        [...attributes.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, plain(value)]),
      )
      // A tag without a content points to an artifact that was shown before.
      const shown = write({ ...named, id: named.identifier, content: (content ?? '').replace(/^\n|\n$/g, '') })
      return shown === '' ? '' : `\n\n${shown}\n\n`
    })
  return { text: spoken.replace(/\n{3,}/g, '\n\n').trim(), thought: thoughts.filter(Boolean).join('\n\n') }
}

const SIGNS: Record<string, string> = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&', '&#39;': "'" }

const plain = (value: string | undefined) =>
  textOf(value).replace(/&(?:quot|lt|gt|amp|#39);/g, (sign) => SIGNS[sign] ?? sign)
