import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { modelsQuery } from '#web/features/models/queries.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { askableModels, formatRate } from '../composer/model-labels.ts'

interface ModelMenuProps {
  trigger: ReactNode
  onChoose: (modelId: string) => void
}

/** Loaded by the click that asks for it, so it begins open. */
export function ModelMenu({ trigger, onChoose }: ModelMenuProps) {
  const { data: models = [] } = useQuery(modelsQuery)
  return (
    <Menu defaultOpen trigger={trigger}>
      <p className="px-2.5 pt-1.5 pb-1 text-sm text-muted">Ответить заново моделью</p>
      {askableModels(models).map((model) => (
        <MenuItem key={model.id} onSelect={() => onChoose(model.id)}>
          <span className="min-w-0 flex-1 truncate">{model.name}</span>
          <span className="figures shrink-0 text-sm text-muted">{formatRate(model)}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
