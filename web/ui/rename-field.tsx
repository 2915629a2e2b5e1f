import { useRef, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'

interface RenameFieldProps {
  label: string
  maxLength: number
  title: string
  /** Called with the new title, or null when it is unchanged. */
  onDone: (title: string | null) => void
  className?: string
}

/** The title as a field: Enter and blur save, Esc cancels. */
export function RenameField({ label, maxLength, title, onDone, className }: RenameFieldProps) {
  const [typed, setTyped] = useState(title)
  const isDone = useRef(false)

  function finish(isSaved: boolean) {
    if (isDone.current) return
    isDone.current = true
    const next = typed.trim()
    onDone(isSaved && next !== '' && next !== title ? next : null)
  }

  return (
    <input
      aria-label={label}
      // biome-ignore lint/a11y/noAutofocus: the user has just opened it
      autoFocus
      value={typed}
      maxLength={maxLength}
      autoComplete="off"
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') finish(true)
        if (event.key === 'Escape') {
          // Otherwise Esc would also close the drawer around it.
          event.preventDefault()
          event.stopPropagation()
          finish(false)
        }
      }}
      className={classNames(
        'w-full min-w-0 rounded-sm border border-line-strong bg-surface text-ink focus-visible:-outline-offset-2',
        className,
      )}
    />
  )
}
