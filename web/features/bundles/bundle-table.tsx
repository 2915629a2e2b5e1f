import { useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Boxes, Trash2 } from 'lucide-react'
import type { TokenBundle } from '#contract/plans.ts'
import { useLeaving } from '#web/lib/undoable.ts'
import { choiceParam, tableParams, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { FilterChip } from '#web/ui/table/filter-chip.tsx'
import { BY_HAND, LocalList } from '#web/ui/table/local-list.tsx'
import { RowMenu } from '#web/ui/table/row-menu.tsx'
import { saleColumns, saleStates, saleValue } from '#web/ui/table/sale-columns.tsx'
import type { RowKind } from '#web/ui/table/table-row.tsx'
import { allBundlesQuery, useDeleteBundle, useReorderBundles, useSetBundleActive } from './queries.ts'

const bundleColumns: Column<TokenBundle>[] = Object.values(saleColumns)
const bundleSorts = ['position', 'name', 'symbols', 'price', 'perThousand', 'active'] as const
const params = { ...tableParams(bundleSorts, BY_HAND), state: choiceParam(['active', 'archived']) }

interface BundleTableProps {
  onOpen: (id: string) => void
  onAdd: () => void
}

export function BundleTable({ onOpen, onAdd }: BundleTableProps) {
  const bundles = useQuery(allBundlesQuery)
  const url = useUrlState(params)
  const reorder = useReorderBundles()
  const leaving = useLeaving()
  const kind = useBundleKind(onOpen)
  const { state } = url.state
  if (bundles.data?.length === 0) return <NoBundles onAdd={onAdd} />
  return (
    <LocalList
      id="bundles"
      label="Пакеты символов"
      find="Найти пакет"
      query={bundles}
      columns={bundleColumns}
      kind={kind}
      local={{
        words: ({ name }) => name,
        value: saleValue,
        fits: ({ id, active }) => !leaving.has(id) && (state === null || active === (state === 'active')),
      }}
      url={url}
      onMove={reorder.mutate}
    >
      <FilterChip
        label="Состояние"
        any="Все пакеты"
        value={state}
        options={saleStates}
        onChange={(next) => url.change({ state: next })}
      />
    </LocalList>
  )
}

function useBundleKind(onOpen: (id: string) => void): RowKind<TokenBundle> {
  const setActive = useSetBundleActive()
  const remove = useDeleteBundle()
  const icon = { size: 18, 'aria-hidden': true } as const
  return {
    key: ({ id }) => id,
    name: ({ name }) => name,
    onOpen: ({ id }) => onOpen(id),
    isDim: ({ active }) => !active,
    menu: (bundle) => (
      <RowMenu name={bundle.name}>
        {bundle.active ? (
          <MenuItem icon={<Archive {...icon} />} onSelect={() => setActive(bundle, false)}>
            Убрать в архив
          </MenuItem>
        ) : (
          <MenuItem icon={<ArchiveRestore {...icon} />} onSelect={() => setActive(bundle, true)}>
            Вернуть в продажу
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 {...icon} />} onSelect={() => remove(bundle)}>
          Удалить насовсем
        </MenuItem>
      </RowMenu>
    ),
  }
}

function NoBundles({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={<Boxes />}
      title="Пакетов пока нет"
      text="Пакет покупают один раз, и его символы не сгорают. Добавьте первый, чтобы балансу было чем пополниться."
      action={
        <Button variant="primary" onClick={onAdd}>
          Добавить пакет
        </Button>
      }
    />
  )
}
