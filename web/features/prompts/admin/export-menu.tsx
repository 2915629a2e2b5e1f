import { Download } from 'lucide-react'
import type { ImportFormat } from '#contract/prompts-admin.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { exportAddress, type PromptTableFilter } from './table-filter.ts'

export function ExportMenu({ filter }: { filter: PromptTableFilter }) {
  return (
    <Menu align="end" trigger={<Button icon={<Download size={18} aria-hidden="true" />}>Экспорт</Button>}>
      <MenuItem onSelect={() => download(filter, 'csv')}>
        CSV <span className="ml-auto pl-4 text-muted text-sm">для таблиц</span>
      </MenuItem>
      <MenuItem onSelect={() => download(filter, 'json')}>
        JSON <span className="ml-auto pl-4 text-muted text-sm">для программ</span>
      </MenuItem>
    </Menu>
  )
}

/** Clicks a temporary link: the response has a file name. */
function download(filter: PromptTableFilter, format: ImportFormat) {
  const link = document.createElement('a')
  link.href = exportAddress(filter, format)
  link.download = ''
  link.click()
}
