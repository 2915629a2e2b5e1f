import { useQuery } from '@tanstack/react-query'
import type { Plan } from '#contract/plans.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { plural } from '#web/lib/format.ts'
import { tableParams, useUrlState } from '#web/lib/url-state.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { CreditCard } from '#web/ui/icons.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { LocalList, MANUAL_ORDER } from '#web/ui/table/local-list.tsx'
import { RowMenu } from '#web/ui/table/row-menu.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { allPlansQuery, defaultPlan, useReorderPlans, useSetPlanActive } from './queries.ts'
import { ArchiveItem, isInState, SaleStateChip, saleColumns, saleParams, saleSortValue } from './sale-columns.tsx'

const planSorts = ['position', 'name', 'symbols', 'price', 'intervalDays', 'perThousand', 'active'] as const
const params = { ...tableParams(planSorts, MANUAL_ORDER), ...saleParams }

export function PlanTable() {
  const plans = useQuery(allPlansQuery)
  const url = useUrlState(params)
  const reorder = useReorderPlans()
  const rowSpec = usePlanRowSpec()
  if (plans.data?.length === 0) return <NoPlans />
  return (
    <LocalList
      id="plans"
      label="Тарифы"
      searchLabel="Найти тариф"
      query={plans}
      columns={planColumns(defaultPlan(plans.data ?? [])?.id ?? null)}
      rowSpec={rowSpec}
      local={{
        searchText: ({ name, description }) => `${name} ${description}`,
        sortValue: saleSortValue,
        matches: (plan) => isInState(plan, url.state),
      }}
      url={url}
      onMove={reorder.mutate}
    >
      <SaleStateChip url={url} any="Все тарифы" />
    </LocalList>
  )
}

function usePlanRowSpec(): RowSpec<Plan> {
  const setActive = useSetPlanActive()
  return {
    key: ({ id }) => id,
    name: ({ name }) => name,
    href: ({ id }) => adminPaths.plan(id),
    isDim: ({ active }) => !active,
    menu: (plan) => (
      <RowMenu name={plan.name}>
        <ArchiveItem isActive={plan.active} onChange={(active) => setActive(plan, active)} />
      </RowMenu>
    ),
  }
}

function NoPlans() {
  return (
    <EmptyState
      icon={<CreditCard />}
      title="Тарифов пока нет"
      text="Пока нет ни одного тарифа, подписку не оформить. Добавьте первый: название, сколько символов и за какую цену."
      action={
        <ButtonLink variant="primary" href={adminPaths.planAdd()}>
          Добавить тариф
        </ButtonLink>
      }
    />
  )
}

function planColumns(defaultId: string | null): Column<Plan>[] {
  return [
    {
      ...saleColumns.name,
      note: ({ id }) => id === defaultId && <Badge tone="accent">По умолчанию</Badge>,
    },
    saleColumns.symbols,
    saleColumns.price,
    {
      id: 'intervalDays',
      title: 'Период',
      isSortable: true,
      isNumeric: true,
      cell: ({ intervalDays }) => `${intervalDays}\u00a0${plural(intervalDays, 'день', 'дня', 'дней')}`,
      text: ({ intervalDays }) => intervalDays,
    },
    saleColumns.perThousand,
    {
      id: 'description',
      title: 'Описание',
      isExtra: true,
      isWide: true,
      cell: ({ description }) => description || null,
      text: ({ description }) => description,
    },
    saleColumns.active,
  ]
}
