import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { EllipsisVertical } from '#web/ui/icons.ts'
import { Menu } from '#web/ui/menu.tsx'

export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Menu
      align="end"
      trigger={<IconButton size="sm" label={`Действия: ${name}`} icon={<EllipsisVertical size={18} />} />}
    >
      {children}
    </Menu>
  )
}
