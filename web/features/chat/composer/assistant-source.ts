import { navigate } from 'wouter/use-browser-location'
import { paths } from '#web/lib/paths.ts'
import type { SuggestSource } from './suggest-source.ts'

/** «@» finds assistants; the chosen one begins a new chat. What it takes to search them comes with the first search. */
export const assistantSource: SuggestSource = {
  mark: '@',
  label: 'Ассистенты',
  nothing: 'Таких ассистентов нет. Создать своего можно в разделе «Ассистенты».',
  find: async (query, signal) => (await import('./assistant-search.ts')).findAssistants(query, signal),
  pick: ({ id }) => {
    navigate(paths.assistantChat(id))
    return ''
  },
}
