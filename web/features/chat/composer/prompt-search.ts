import { call } from '#contract/call.ts'
import { initialValues, parsePrompt } from '#contract/prompt-variables.ts'
import { type Prompt, promptsApi } from '#contract/prompts.ts'
import { newId } from '#web/lib/new-id.ts'
import type { Suggestion } from './suggest-source.ts'

const known = new Map<string, Prompt>()

export async function findPrompts(query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const prompts = await call(promptsApi.suggest, { query: { query } }, (url, init) => fetch(url, { ...init, signal }))
  for (const prompt of prompts) known.set(prompt.id, prompt)
  return prompts.map(({ id, title, description, content }) => ({ id, title, hint: description || oneLine(content) }))
}

/** The text of a prompt that was found; that it was used is told by the way. */
export function takePrompt(id: string): string {
  const prompt = known.get(id)
  if (!prompt) return ''
  call(promptsApi.use, { params: { id }, body: { id: newId() } }).catch(() => undefined)
  return fillForWriting(prompt.content, new Date().toLocaleDateString('sv'))
}

/** Variables with what they begin with; those that begin with nothing as «[имя]», to be written over. */
export function fillForWriting(content: string, today: string): string {
  const { parts: pieces, variables } = parsePrompt(content)
  const values = initialValues(variables, today)
  const wordFor = (key: string) => values.get(key) || `[${variables.find((one) => one.key === key)?.name ?? key}]`
  return pieces.map((piece) => (piece.type === 'text' ? piece.text : wordFor(piece.key))).join('')
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 120)
