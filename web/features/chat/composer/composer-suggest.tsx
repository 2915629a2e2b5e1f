import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { moveInList } from './list-keys.ts'
import type { Suggestion } from './suggest-search.ts'
import type { Mark, SuggestSource } from './suggest-sources.ts'

export type SuggestKeys = RefObject<((event: KeyboardEvent) => boolean) | null>

interface ComposerSuggestProps {
  id: string
  source: SuggestSource
  query: string
  /** Gets the keys of the field first; returns true when the list used the key. */
  keys: SuggestKeys
  onActive: (optionId: string | null) => void
  onPick: (suggestion: Suggestion) => void
}

/** The list of suggestions above the field. Focus stays in the field. */
const nothing: Record<Mark, string> = {
  '/': 'Таких промптов нет. Сохранить свой можно в разделе «Промпты».',
  '@': 'Таких ассистентов нет. Создать своего можно в разделе «Ассистенты».',
}

export function ComposerSuggest({ id, source, query, keys, onActive, onPick }: ComposerSuggestProps) {
  const { data, error } = useQuery({
    queryKey: ['suggest', source.mark, query],
    queryFn: ({ signal }) => source.find(query, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { silent: true },
  })
  const found = data ?? []
  const [chosen, setActive] = useState(0)
  const active = Math.min(chosen, Math.max(0, found.length - 1))
  const activeId = found[active] ? `${id}-${active}` : null

  useEffect(() => {
    onActive(activeId)
    return () => onActive(null)
  }, [activeId, onActive])

  useLayoutEffect(() => {
    keys.current = (event) => {
      const suggestion = found[active]
      const next = moveInList(event.key, active, found.length)
      if (next !== null && event.key.startsWith('Arrow')) {
        setActive(next)
        document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
      } else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion) onPick(suggestion)
      else return false
      event.preventDefault()
      return true
    }
    return () => {
      keys.current = null
    }
  })

  return (
    <div className="absolute inset-x-0 bottom-full z-30 mb-2 overflow-hidden rounded-md border bg-surface shadow-float">
      <p className="px-3 pt-2 text-sm text-muted">{source.label}</p>
      <div id={id} role="listbox" aria-label={source.label} className="max-h-[min(16rem,28dvh)] overflow-y-auto p-1">
        {found.map((suggestion, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys come through the field
          <div
            key={suggestion.id}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            // Keeps the focus and the caret in the field.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setActive(i)}
            onClick={() => onPick(suggestion)}
            className={classNames('cursor-pointer rounded-sm px-2.5 py-1.5 select-none', i === active && 'bg-hover')}
          >
            <span className="block truncate">{suggestion.title}</span>
            {suggestion.hint && <span className="block truncate text-sm text-muted">{suggestion.hint}</span>}
          </div>
        ))}
      </div>
      {data?.length === 0 && <p className="px-3 pb-3 text-[15px]">{nothing[source.mark]}</p>}
      {error && (
        <p role="alert" className="px-3 pb-3 text-[15px]">
          Список не загрузился. {callErrorText(error)}
        </p>
      )}
    </div>
  )
}
