import { NavList } from './nav-list.tsx'
import { adminPages } from './navigation.ts'

export async function loadAdminNav() {
  await adminPages.load()
  return AdminNav
}

function AdminNav({ isCompact }: { isCompact: boolean }) {
  return (
    <nav aria-label="Управление">
      {!isCompact && <h2 className="px-2.5 pb-1 text-muted text-sm">Управление</h2>}
      <NavList label="Управление" items={adminPages.get() ?? []} isCompact={isCompact} />
    </nav>
  )
}
