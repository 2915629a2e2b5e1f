import type { ReactNode } from 'react'
import type { Model, Thinking } from '#contract/models.ts'
import { Menu, MenuChoice } from '#web/ui/menu.tsx'
import { thoughtPrice } from './estimate.ts'
import { thoughtNote } from './price-line.ts'
import { depthNames, depths } from './thinking-choice.ts'

interface ThinkingMenuProps {
  trigger: ReactNode
  model: Model
  chosen: Thinking
  onChoose: (thinking: Thinking) => void
}

export const depthOptions = (model: Model) =>
  depths.map((value) => ({
    value: value as Thinking,
    label: depthNames[value],
    note: thoughtNote(thoughtPrice(model, value)),
  }))

/** Mounted open: the click that opens it also loads it. */
export function ThinkingMenu({ trigger, model, chosen, onChoose }: ThinkingMenuProps) {
  return (
    <Menu defaultOpen trigger={trigger}>
      <MenuChoice
        closesOnChange
        label="Сколько думать"
        value={chosen}
        options={depthOptions(model)}
        onChange={onChoose}
      />
    </Menu>
  )
}
