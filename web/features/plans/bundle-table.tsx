import { useQuery } from '@tanstack/react-query'
import type { TokenBundle } from '#contract/plans.ts'
import { usePendingRemovals } from '#web/lib/undoable.ts'
import { tableParams, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Boxes, Trash2 } from '#web/ui/icons.ts'
import { MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { LocalList, MANUAL_ORDER } from '#web/ui/table/local-list.tsx'
import { RowMenu } from '#web/ui/table/row-menu.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { allBundlesQuery, useDeleteBundle, useReorderBundles, useSetBundleActive } from './queries.ts'
import { ArchiveItem, isInState, SaleStateChip, saleColumns, saleParams, saleSortValue } from './sale-columns.tsx'

const bundleColumns: Column<TokenBundle>[] = Object.values(saleColumns)
const bundleSorts = ['position', 'name', 'symbols', 'price', 'perThousand', 'active'] as const
const params = { ...tableParams(bundleSorts, MANUAL_ORDER), ...saleParams }

interface BundleTableProps {
  onOpen: (id: string) => void
  onAdd: () => void
}

export function BundleTable({ onOpen, onAdd }: BundleTableProps) {
  const bundles = useQuery(allBundlesQuery)
  const url = useUrlState(params)
  const reorder = useReorderBundles()
  const pendingRemovals = usePendingRemovals()
  const rowSpec = useBundleRowSpec(onOpen)
  if (bundles.data?.length === 0) return <NoBundles onAdd={onAdd} />
  return (
    <LocalList
      id="bundles"
      label="Пакеты символов"
      searchLabel="Найти пакет"
      query={bundles}
      columns={bundleColumns}
      rowSpec={rowSpec}
      local={{
        searchText: ({ name }) => name,
        sortValue: saleSortValue,
        matches: (bundle) => !pendingRemovals.has(bundle.id) && isInState(bundle, url.state),
      }}
      url={url}
      onMove={reorder.mutate}
    >
      <SaleStateChip url={url} any="Все пакеты" />
    </LocalList>
  )
}

function useBundleRowSpec(onOpen: (id: string) => void): RowSpec<TokenBundle> {
  const setActive = useSetBundleActive()
  const remove = useDeleteBundle()
  return {
    key: ({ id }) => id,
    name: ({ name }) => name,
    onOpen: ({ id }) => onOpen(id),
    isDim: ({ active }) => !active,
    menu: (bundle) => (
      <RowMenu name={bundle.name}>
        <ArchiveItem isActive={bundle.active} onChange={(active) => setActive(bundle, active)} />
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => remove(bundle)}>
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
      text="Пакет покупают один раз, и его символы не сгорают. Добавьте первый, чтобы люди могли пополнить баланс."
      action={
        <Button variant="primary" onClick={onAdd}>
          Добавить пакет
        </Button>
      }
    />
  )
}
