import { WaitingDisputes } from '#web/features/disputes/waiting-disputes.tsx'
import { paths } from '#web/lib/paths.ts'
import { adminNavigation } from './admin-navigation.ts'
import { NavList } from './nav-list.tsx'

const badges = { [paths.adminDisputes()]: <WaitingDisputes /> }

export function AdminNav({ isCompact }: { isCompact: boolean }) {
  return (
    <nav aria-label="Управление">
      {!isCompact && <h2 className="px-2.5 pb-1 text-muted text-sm">Управление</h2>}
      <NavList label="Управление" items={adminNavigation} isCompact={isCompact} badges={badges} />
    </nav>
  )
}
