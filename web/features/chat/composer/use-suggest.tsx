import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { drafts } from '../state/drafts.ts'
import type { Suggestion } from './suggest-search.ts'
import { findTrigger, type Mark, type SuggestSource, withoutTrigger } from './suggest-sources.ts'

const suggestList = lazy(async () => (await import('./composer-suggest.tsx')).ComposerSuggest)

interface Suggest {
  list: ReactNode
  /** True when the list used the key. */
  onKeyDown: (event: KeyboardEvent) => boolean
  updateCaret: () => void
  fieldProps: {
    onSelect: () => void
    'aria-autocomplete'?: 'list'
    'aria-controls'?: string
    'aria-activedescendant'?: string
  }
}

/** Suggestions for a mark at the beginning of the field. The list is loaded with the first mark. */
export function useSuggest(
  draft: string,
  text: string,
  sources: readonly SuggestSource[],
  field: RefObject<HTMLTextAreaElement | null>,
): Suggest {
  const id = useId()
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null)
  const [List, ask] = useOnDemand(suggestList)
  const [caret, setCaret] = useState(0)
  const [activeId, setActiveId] = useState<string | null>(null)
  const [dismissed, setDismissed] = useState<string | null>(null)
  const marks: Mark[] = sources.map(({ mark }) => mark)
  const trigger = dismissed === text ? null : findTrigger(text, caret, marks)
  const source = trigger && sources.find(({ mark }) => mark === trigger.mark)
  const isWanted = source !== null
  useEffect(() => {
    if (isWanted) ask()
  }, [isWanted, ask])

  const updateCaret = () => setCaret(field.current?.selectionStart ?? 0)

  async function pick(suggestion: Suggestion) {
    if (!source) return
    const picked = await source.pick(suggestion)
    const picks = [picked, withoutTrigger(text, caret)].filter(Boolean).join(' ')
    drafts().write(draft, { ...drafts().read(draft), text: picks })
    requestAnimationFrame(() => selectBlank(field.current, picked))
  }

  return {
    list: List && source && trigger && (
      <List
        id={id}
        source={source}
        query={trigger.query}
        keys={keys}
        onActive={setActiveId}
        onPick={(suggestion) => void pick(suggestion)}
      />
    ),
    onKeyDown(event) {
      if (!source) return false
      if (event.key === 'Escape') {
        setDismissed(text)
        return true
      }
      return keys.current?.(event) ?? false
    },
    updateCaret,
    fieldProps: {
      onSelect: updateCaret,
      ...(List && source && { 'aria-autocomplete': 'list', 'aria-controls': id }),
      ...(activeId && { 'aria-activedescendant': activeId }),
    },
  }
}

/** Selects the first «[…]» of the inserted text, so that typing replaces it. */
function selectBlank(field: HTMLTextAreaElement | null, picked: string) {
  const blank = /\[[^\]\n]+\]/.exec(picked)
  const from = blank ? blank.index : picked.length
  field?.focus()
  field?.setSelectionRange(from, from + (blank?.[0].length ?? 0))
}
