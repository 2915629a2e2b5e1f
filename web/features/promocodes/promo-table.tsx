import { useQuery } from '@tanstack/react-query'
import { addressOf } from '#contract/endpoint.ts'
import { type PromoCode, promocodesApi, promoSorts, promoStates } from '#contract/promocodes.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { usePendingRemovals } from '#web/lib/undoable.ts'
import { choiceParam, filled, isFiltered, type StateOf, tableParams, useUrlState } from '#web/lib/url-state.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Gift, Power, PowerOff, Trash2 } from '#web/ui/icons.ts'
import { MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { FilterChips } from '#web/ui/table/filter-chips.tsx'
import { RowMenu } from '#web/ui/table/row-menu.tsx'
import { useSelection } from '#web/ui/table/selection.ts'
import { SelectionBar } from '#web/ui/table/selection-bar.tsx'
import { ServerList } from '#web/ui/table/server-list.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { promoColumns } from './promo-columns.tsx'
import { promoName, stateLabel } from './promo-labels.ts'
import { promoListQuery, useDeletePromo, useSetPromosActive } from './queries.ts'

const params = {
  ...tableParams(promoSorts, '-createdAt'),
  state: choiceParam(promoStates),
  gives: choiceParam(['symbols', 'discount']),
}
const states = promoStates.map((value) => ({ value, label: stateLabel[value].label }))

export function PromoTable() {
  const { state, change, reset } = useUrlState(params)
  const promos = useQuery(promoListQuery(filled(state)))
  const pendingRemovals = usePendingRemovals()
  const setActive = useSetPromosActive()
  const rowSpec = usePromoRowSpec(setActive)
  const rows = promos.data?.items.filter(({ id }) => !pendingRemovals.has(id)) ?? []
  const selection = useSelection(rows, rowSpec.key)

  if (promos.data?.total === 0 && !isFiltered(state, ['query', 'state', 'gives'])) return <NoPromos />
  return (
    <div className="flex flex-col gap-4">
      <ServerList
        id="promocodes"
        label="Промокоды"
        searchLabel="Название или код"
        query={{ ...promos, data: promos.data && { ...promos.data, items: rows } }}
        columns={promoColumns}
        rowSpec={rowSpec}
        url={{ state, change }}
        csv={csvAddress(state)}
        chips={
          <FilterChips
            state={state}
            change={change}
            chips={[
              { filter: 'state', label: 'Состояние', any: 'Любое состояние', options: states },
              {
                filter: 'gives',
                label: 'Что даёт',
                any: 'Символы и скидки',
                options: { symbols: 'Символы', discount: 'Скидка' },
              },
            ]}
          />
        }
        onReset={reset}
        selection={selection}
      />
      <PromoSelection selection={selection} onActive={setActive} />
    </div>
  )
}

/** Every row that matches the filter, not only the page. */
function csvAddress(state: StateOf<typeof params>): string {
  const { page: _, size: __, ...filters } = state
  return addressOf(promocodesApi.csv, { query: filled(filters) })
}

type SetActive = (promos: PromoCode[], active: boolean) => void

function usePromoRowSpec(setActive: SetActive): RowSpec<PromoCode> {
  const remove = useDeletePromo()
  return {
    key: ({ id }) => id,
    name: promoName,
    href: ({ id }) => adminPaths.promoCode(id),
    isDim: ({ active }) => !active,
    menu: (promo) =>
      !promo.deletedAt && (
        <RowMenu name={promoName(promo)}>
          {promo.active ? (
            <MenuItem icon={<PowerOff size={18} />} onSelect={() => setActive([promo], false)}>
              Выключить
            </MenuItem>
          ) : (
            <MenuItem icon={<Power size={18} />} onSelect={() => setActive([promo], true)}>
              Включить
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => remove(promo)}>
            Выключить насовсем
          </MenuItem>
        </RowMenu>
      ),
  }
}

interface PromoSelectionProps {
  selection: { rows: PromoCode[]; clear: () => void }
  onActive: SetActive
}

function PromoSelection({ selection: { rows, clear }, onActive }: PromoSelectionProps) {
  const then = (active: boolean) => () => {
    onActive(rows, active)
    clear()
  }
  return (
    <SelectionBar count={rows.length} onClear={clear}>
      <Button size="sm" variant="ghost" icon={<Power size={18} />} onClick={then(true)}>
        Включить
      </Button>
      <Button size="sm" variant="ghost" icon={<PowerOff size={18} />} onClick={then(false)}>
        Выключить
      </Button>
    </SelectionBar>
  )
}

function NoPromos() {
  return (
    <EmptyState
      icon={<Gift />}
      title="Промокодов пока нет"
      text="Код добавляет символы или даёт скидку на первый платёж. Его можно сделать одноразовым, ограничить по времени или выпустить сразу тысячу."
      action={
        <ButtonLink variant="primary" href={adminPaths.promoCodeAdd()}>
          Создать промокод
        </ButtonLink>
      }
    />
  )
}
