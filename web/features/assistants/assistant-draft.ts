import { type Assistant, DEFAULT_AVATAR } from '#contract/assistants.ts'

/** An assistant as a form holds it: every field a text. Starters stand one a line. */
export type FormDraft = Record<'name' | 'description' | 'instructions' | 'avatar' | 'modelId' | 'starters', string>

export const emptyDraft: FormDraft = {
  name: '',
  description: '',
  instructions: '',
  avatar: DEFAULT_AVATAR,
  modelId: '',
  starters: '',
}

type Shown = Pick<Assistant, 'name' | 'description' | 'instructions' | 'avatar' | 'starters'>

export function draftOf(
  { name, description, instructions, avatar, starters }: Shown,
  modelId: string | null,
): FormDraft {
  return { name, description, instructions, avatar, modelId: modelId ?? '', starters: starters.join('\n') }
}

/** What is sent; starters left empty were not meant, and the same one twice is one. */
export function readDraft({ modelId, starters, ...rest }: FormDraft) {
  const meant = linesOf(starters)
    .map((line) => line.trim())
    .filter(Boolean)
  return { ...rest, modelId: modelId || null, starters: [...new Set(meant)] }
}

export const linesOf = (starters: string) => (starters === '' ? [] : starters.split('\n'))

/** «Договор (копия)», and the copy of a copy is just another copy. */
export function copyName(name: string, most: number): string {
  const base = name.replace(/ \(копия\)$/, '')
  return `${base.slice(0, most - ' (копия)'.length)} (копия)`
}
