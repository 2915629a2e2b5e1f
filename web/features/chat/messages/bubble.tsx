import { useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'

const LONG = 1500

/** The text of a user; a long one is folded. */
export function Bubble({ text }: { text: string }) {
  const isLong = text.length > LONG || text.split('\n', 20).length === 20
  const [isOpen, setOpen] = useState(false)
  const isFolded = isLong && !isOpen
  return (
    <div className="max-w-[88%] rounded-lg rounded-br-xs bg-accent-soft px-4 py-2.5 print:max-w-full print:border print:bg-transparent">
      <p
        data-text
        className={classNames(
          'whitespace-pre-wrap wrap-anywhere print:max-h-none',
          isFolded && 'max-h-64 overflow-hidden mask-b-from-70% print:mask-none',
        )}
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          data-screen-only
          data-unfold
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="mt-1 rounded-xs text-sm text-accent-ink hover:underline"
        >
          {isOpen ? 'Свернуть' : 'Показать целиком'}
        </button>
      )}
    </div>
  )
}
