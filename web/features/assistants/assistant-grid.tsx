import { useState } from 'react'
import type { Assistant } from '#contract/assistants.ts'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle } from '#web/ui/field.tsx'
import { Search } from '#web/ui/icons.ts'
import { AssistantCard } from './assistant-card.tsx'
import { useUploads } from './uploads.ts'

/** The search is shown above this number. */
const SEARCH_FROM = 8

interface AssistantGridProps {
  assistants: Assistant[]
  onNavigate: (address: string) => void
  onDelete: (assistant: Assistant) => void
}

export function AssistantGrid({ assistants, onNavigate, onDelete }: AssistantGridProps) {
  const [query, setQuery] = useState('')
  const uploads = useUploads()
  const shown = findByName(assistants, query)
  return (
    <>
      {assistants.length > SEARCH_FROM && (
        <search className="relative block max-w-md">
          <Search size={20} className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
          <input
            type="search"
            aria-label="Поиск ассистентов"
            placeholder="Название или описание"
            autoComplete="off"
            maxLength={100}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className={classNames(controlStyle, 'h-11 pl-10')}
          />
        </search>
      )}
      {shown.length === 0 ? (
        <p role="status" className="text-muted">
          Такого ассистента нет. Проверьте слово или создайте нового.
        </p>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4">
          {shown.map((assistant) => (
            <li key={assistant.id}>
              <AssistantCard
                assistant={assistant}
                uploading={uploads.filter(({ library, error }) => library.id === assistant.id && !error).length}
                onNavigate={onNavigate}
                onDelete={onDelete}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Assistants whose name or description contains every word of the search. */
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
