import { type Assistant, assistantsApi } from '#contract/assistants.ts'
import { initialValues, parsePrompt } from '#contract/prompt-variables.ts'
import { type Prompt, promptsApi } from '#contract/prompts.ts'
import { api } from '#web/lib/api.ts'
import { newId } from '#web/lib/new-id.ts'

export interface Suggestion {
  id: string
  title: string
  hint: string
}

/** Those found last: a text of a prompt may be long, and a search finds many while it is typed. */
const MAX_KNOWN = 100
const known = new Map<string, Prompt>()

export async function findPrompts(query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const prompts = await api(promptsApi.suggest, { query: { query } }, { signal })
  for (const prompt of prompts) {
    known.delete(prompt.id)
    known.set(prompt.id, prompt)
  }
  for (const id of [...known.keys()].slice(0, -MAX_KNOWN)) known.delete(id)
  return prompts.map(({ id, title, description, content }) => ({ id, title, hint: description || oneLine(content) }))
}

/** The text of a prompt that was found; its use is counted in the background. */
export function getPromptText(id: string): string {
  const prompt = known.get(id)
  if (!prompt) return ''
  api(promptsApi.use, { params: { id }, body: { id: newId() } }).catch(() => undefined)
  return fillPromptForComposer(prompt.content, new Date().toLocaleDateString('sv'))
}

/** Fills variables with their default values; those without one become «[имя]». */
export function fillPromptForComposer(content: string, today: string): string {
  const { parts, variables } = parsePrompt(content)
  const values = initialValues(variables, today)
  const fillVariable = (key: string) => values.get(key) || `[${variables.find((one) => one.key === key)?.name ?? key}]`
  return parts.map((part) => (part.type === 'text' ? part.text : fillVariable(part.key))).join('')
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 120)

export async function findAssistants(query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const all = await api(assistantsApi.list, {}, { signal })
  return matching(all, query).map(({ id, name, avatar, description }) => ({
    id,
    title: avatar.startsWith('data:') ? name : `${avatar} ${name}`,
    hint: description,
  }))
}

/** Assistants for which every word of the query begins a word of the name or the description. */
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
