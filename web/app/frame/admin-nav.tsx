import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { paths } from '#web/lib/paths.ts'
import { NavList } from './nav-list.tsx'
import { adminNavigation } from './navigation.ts'

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

/** For administrators. It can be folded, and stays so in this browser: then the chats below are in sight. */
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
