import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { callErrorText } from '#web/lib/error-text.ts'
import { closeFind } from '#web/lib/find-in-chat.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTyped } from '#web/lib/use-typed.ts'
import { IconButton } from '#web/ui/button.tsx'
import { ArrowDown, ArrowUp, X } from '#web/ui/icons.ts'
import { useFound } from './use-found.ts'

interface FindBarProps {
  threadId: string
  onReach: () => void
}

export function FindBar({ threadId, onReach }: FindBarProps) {
  const [query, setQuery] = useState('')
  const { typed, type } = useTyped(query, setQuery)
  const { count, at, error, step } = useFound(threadId, query, onReach)
  const field = useRef<HTMLInputElement>(null)
  useFocus(field)

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') closeFind()
    else if (event.key === 'Enter' && event.target === field.current) step(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <search
      data-screen-only
      aria-label="Поиск в чате"
      onKeyDown={onKeyDown}
      className="fixed top-15 right-4 z-30 flex h-12 animate-[appear_140ms_ease-out] items-center rounded-md border bg-surface pr-1 pl-3 shadow-float max-frame:inset-x-2 max-frame:top-16"
    >
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-label="Найти в чате"
        placeholder="Найти в чате"
        maxLength={200}
        value={typed}
        onChange={(event) => type(event.target.value)}
        className="h-10 w-48 min-w-0 bg-transparent outline-none placeholder:text-muted max-frame:flex-1"
      />
      <p role="status" className="figures px-2 text-sm whitespace-nowrap text-muted">
        {error ? callErrorText(error) : query !== '' && count !== null && <Count at={at} count={count} />}
      </p>
      <IconButton
        label="Предыдущее совпадение"
        icon={<ArrowUp size={20} />}
        disabled={!count}
        onClick={() => step(-1)}
      />
      <IconButton
        label="Следующее совпадение"
        icon={<ArrowDown size={20} />}
        disabled={!count}
        onClick={() => step(1)}
      />
      <IconButton label="Закрыть поиск" icon={<X size={20} />} onClick={closeFind} />
    </search>
  )
}

/** Messages are counted: how many places each has is known only where it is shown. */
function Count({ at, count }: { at: number; count: number }) {
  if (count === 0) return 'Нет совпадений'
  return (
    <>
      <span className="max-sm:sr-only">Сообщение </span>
      {formatNumber(at)} из {formatNumber(count)}
    </>
  )
}

/** The focus returns to where it was. */
function useFocus(field: { current: HTMLInputElement | null }) {
  useEffect(() => {
    const before = document.activeElement
    field.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [field])
}
