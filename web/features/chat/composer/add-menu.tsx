import type { ReactNode } from 'react'
import type { Model, Thinking } from '#contract/models.ts'
import { Paperclip } from '#web/ui/icons.ts'
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { SearchChoice } from './search-menu.tsx'
import { depthOptions } from './thinking-menu.tsx'
import type { SearchControl } from './use-web-options.ts'

/** A chat that leaves no trace, chosen before its first message. */
export interface TemporaryControl {
  isOn: boolean
  onChange: (isOn: boolean) => void
}

export interface ToolsProps {
  model: Model | null
  thinking: Thinking
  /** Null when a search is not possible here. */
  search: SearchControl | null
  temporary: TemporaryControl | null
  onFiles: (files: File[]) => void
  onChooseThinking: (thinking: Thinking) => void
}

interface AddMenuProps extends ToolsProps {
  trigger: ReactNode
  onAttach: () => void
}

/** All choices of a question on a phone, with their prices. Mounted open: the click that opens it also loads it. */
export function AddMenu(props: AddMenuProps) {
  const { trigger, onAttach, model, thinking, search, temporary, onChooseThinking } = props
  return (
    <Menu defaultOpen trigger={trigger}>
      <MenuItem icon={<Paperclip size={18} />} onSelect={onAttach}>
        Приложить файл
        <span className="ml-auto pl-4 text-[13px] text-muted">цена по тексту</span>
      </MenuItem>
      {search && (
        <>
          <MenuSeparator />
          <SearchChoice {...search} />
        </>
      )}
      {model?.thinks && (
        <>
          <MenuSeparator />
          <MenuChoice
            label="Сколько думать"
            value={thinking}
            options={depthOptions(model)}
            onChange={onChooseThinking}
          />
        </>
      )}
      {temporary && (
        <>
          <MenuSeparator />
          <MenuCheck {...temporary}>Временный чат</MenuCheck>
        </>
      )}
    </Menu>
  )
}
