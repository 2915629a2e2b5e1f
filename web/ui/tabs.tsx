import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { classNames } from '#web/lib/class-names.ts'

interface TabsProps<Id extends string> {
  tabs: readonly { id: Id; label: ReactNode }[]
  value: Id
  onChange: (id: Id) => void
  label?: string
}

export const tabRowStyle = 'flex gap-1 overflow-x-auto no-scrollbar shadow-[inset_0_-1px_0_var(--line)]'

/** Also for links to parts of a screen that have addresses of their own. */
export function tabStyle(isChosen: boolean): string {
  return classNames(
    'inline-flex min-h-10 shrink-0 items-center border-b-2 px-3 text-[15px] transition-colors max-frame:min-h-11',
    'focus-visible:-outline-offset-2',
    isChosen ? 'border-accent-ink font-medium text-ink' : 'border-transparent text-muted hover:text-ink',
  )
}

/** Arrow keys, Home and End switch tabs; each tab has a TabPanel with the same id. */
export function Tabs<Id extends string>({ tabs, value, onChange, label }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent) {
    const now = tabs.findIndex((tab) => tab.id === value)
    const next = tabs[nextIndex(event.key, now, tabs.length)]
    if (!next || next.id === value) return
    event.preventDefault()
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
  }

  return (
    <div ref={list} role="tablist" aria-label={label} onKeyDown={move} className={tabRowStyle}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`tab-${tab.id}`}
          aria-controls={`panel-${tab.id}`}
          aria-selected={tab.id === value}
          tabIndex={tab.id === value ? 0 : -1}
          onClick={() => onChange(tab.id)}
          className={tabStyle(tab.id === value)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  )
}

function nextIndex(key: string, now: number, count: number): number {
  if (key === 'ArrowRight') return (now + 1) % count
  if (key === 'ArrowLeft') return (now - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : now
}

export function TabPanel({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`} className="pt-5">
      {children}
    </div>
  )
}
