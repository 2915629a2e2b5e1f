import { ChevronDown } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { classNames } from '#web/lib/class-names.ts'
import { paths } from '#web/lib/paths.ts'
import { adminNavigation, type NavItem } from './navigation.ts'

interface NavListProps {
  label: string
  items: NavItem[]
  compact: boolean
  /** Extra content beside an item, by its address. */
  notes?: Record<string, ReactNode>
}

export function NavList({ label, items, compact, notes }: NavListProps) {
  const [path] = useLocation()
  return (
    <ul aria-label={label} className="flex flex-col gap-0.5">
      {items.map(({ href, label: text, Icon }) => {
        // An open chat is highlighted in the chat list instead.
        const isInside = path.startsWith(`${href}/`) && (compact || href !== paths.threads())
        const isHere = path === href || isInside
        return (
          <li key={href}>
            <Link
              href={href}
              aria-current={isHere ? 'page' : undefined}
              title={compact ? text : undefined}
              className={classNames(
                'flex h-10 items-center gap-3 rounded-md px-2.5 text-[15px] transition-colors',
                isHere ? 'bg-hover font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink',
              )}
            >
              <Icon
                size={20}
                strokeWidth={1.8}
                aria-hidden="true"
                className={classNames('shrink-0', isHere && 'text-accent-ink')}
              />
              <span className={compact ? 'sr-only' : 'truncate'}>{text}</span>
              {!compact && notes?.[href]}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

const KEY = 'admin-folded'
const WaitingDisputes = lazy(async () => ({
  default: (await import('#web/features/disputes/waiting-disputes.tsx')).WaitingDisputes,
}))
const notes = {
  [paths.adminDisputes()]: (
    <Suspense fallback={null}>
      <WaitingDisputes />
    </Suspense>
  ),
}

/** Admin sections. Folding them is remembered in this browser and leaves room for the chats below. */
export function AdminNav({ compact }: { compact: boolean }) {
  const [path] = useLocation()
  const [isFolded, setFolded] = useState(() => localStorage.getItem(KEY) === 'yes')
  const isOpen = compact || !isFolded || path.startsWith('/admin')

  function toggle() {
    setFolded(!isFolded)
    localStorage.setItem(KEY, isFolded ? 'no' : 'yes')
  }

  return (
    <div className="mt-3 border-t pt-3">
      {!compact && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="flex w-full items-center justify-between rounded-md px-2.5 py-1 text-left text-muted text-sm transition-colors hover:bg-hover hover:text-ink"
        >
          Управление
          <ChevronDown size={16} aria-hidden="true" className={isOpen ? 'rotate-180' : undefined} />
        </button>
      )}
      {isOpen && (
        <div className={compact ? undefined : 'pt-1'}>
          <NavList label="Управление" items={adminNavigation} compact={compact} notes={notes} />
        </div>
      )}
    </div>
  )
}
