import type { SuggestSource } from './suggest-source.ts'

const load = () => import('./prompt-search.ts')

/** «/» finds prompts. What it takes to search them comes with the first search. */
export const promptSource: SuggestSource = {
  mark: '/',
  label: 'Промпты',
  nothing: 'Таких промптов нет. Сохранить свой можно в разделе «Промпты».',
  find: async (query, signal) => (await load()).findPrompts(query, signal),
  pick: async ({ id }) => (await load()).takePrompt(id),
}
