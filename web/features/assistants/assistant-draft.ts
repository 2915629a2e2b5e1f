import { type Assistant, DEFAULT_AVATAR } from '#contract/assistants.ts'

/** The form's fields, all strings; starters as JSON. */
export type FormDraft = Record<
  'name' | 'description' | 'instructions' | 'avatar' | 'modelId' | 'country' | 'starters' | 'searchWords',
  string
>

export const emptyDraft: FormDraft = {
  name: '',
  description: '',
  instructions: '',
  avatar: DEFAULT_AVATAR,
  modelId: '',
  country: '',
  starters: '[]',
  searchWords: 'on',
}

type EditableFields = Pick<Assistant, 'name' | 'description' | 'instructions' | 'avatar' | 'starters' | 'country'> &
  Partial<Pick<Assistant, 'searchWords'>>

export function assistantDraft(
  { name, description, instructions, avatar, starters, country, searchWords = true }: EditableFields,
  modelId: string | null,
): FormDraft {
  const shown = { name, description, instructions, avatar, starters: writeStarters(starters) }
  return { ...shown, modelId: modelId ?? '', country: country ?? '', searchWords: searchWords ? 'on' : '' }
}

/** The request body: empty and repeated starters are dropped. */
export function readDraft({ starters, modelId, country, searchWords, ...rest }: FormDraft) {
  const chosen = { modelId: modelId || null, country: country || null, searchWords: searchWords !== '' }
  return { ...rest, ...chosen, starters: filledStarters(starters) }
}

export const writeStarters = (starters: readonly string[]) => JSON.stringify(starters)
export const readStarters = (text: string) => JSON.parse(text) as string[]

export function filledStarters(text: string): string[] {
  const meant = readStarters(text)
    .map((starter) => starter.trim())
    .filter(Boolean)
  return [...new Set(meant)]
}

/** «Договор (копия)»; a copy of a copy has the same name. */
export function copyName(name: string, maxLength: number): string {
  const base = name.replace(/ \(копия\)$/, '')
  return `${base.slice(0, maxLength - ' (копия)'.length)} (копия)`
}
