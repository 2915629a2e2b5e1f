import type { AdminGroup } from '#web/lib/feature.ts'
import { NavList } from './nav-list.tsx'
import { adminPages } from './navigation.ts'

export async function loadAdminNav() {
  await adminPages.load()
  return AdminNav
}

const titles: Record<AdminGroup, string> = { people: 'Люди', money: 'Деньги', setup: 'Настройка' }
const groups: (AdminGroup | undefined)[] = [undefined, 'people', 'money', 'setup']

/** Low entries in groups: all of them fit a window of 800 px. */
export function AdminNav({ isCompact }: { isCompact: boolean }) {
  const pages = adminPages.get() ?? []
  return (
    <nav aria-label="Управление" className="flex flex-col gap-2">
      {groups.map((group) => {
        const items = pages.filter((page) => page.group === group)
        if (items.length === 0) return null
        const title = group && titles[group]
        return (
          <div key={group ?? ''} className={isCompact && group ? 'border-t pt-2' : undefined}>
            {title && !isCompact && <h2 className="px-2.5 pb-0.5 text-[13px] text-muted">{title}</h2>}
            <NavList label={title ?? 'Управление'} items={items} isCompact={isCompact} isDense />
          </div>
        )
      })}
    </nav>
  )
}
