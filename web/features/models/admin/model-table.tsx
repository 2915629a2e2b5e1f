import { useQuery } from '@tanstack/react-query'
import type { AdminModel } from '#contract/models.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { usePendingRemovals } from '#web/lib/undoable.ts'
import { choiceParam, tableParams, textParam, useUrlState } from '#web/lib/url-state.ts'
import { Callout } from '#web/ui/callout.tsx'
import { Eye, EyeOff, Trash2 } from '#web/ui/icons.ts'
import { MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { FilterChips } from '#web/ui/table/filter-chips.tsx'
import { LocalList, MANUAL_ORDER } from '#web/ui/table/local-list.tsx'
import { RowMenu } from '#web/ui/table/row-menu.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { modelColumns, modelSorts, modelSortValue } from './model-columns.tsx'
import { kindNames } from './model-labels.ts'
import { NoProviders } from './no-providers.tsx'
import {
  allModelsQuery,
  providersQuery,
  useDeleteModel,
  useReorderModels,
  useSetModelHidden,
  useShutdownDates,
} from './queries.ts'

const params = {
  ...tableParams(modelSorts, MANUAL_ORDER),
  state: choiceParam(['shown', 'hidden']),
  kind: choiceParam(['text', 'image', 'transcription', 'embedding', 'scan']),
  provider: textParam(50),
}

export function ModelTable() {
  const models = useQuery(allModelsQuery)
  const providers = useQuery(providersQuery).data?.map(({ name }) => name)
  const url = useUrlState(params)
  const reorder = useReorderModels()
  const pendingRemovals = usePendingRemovals()
  const rowSpec = useModelRowSpec()
  const { state, kind: ofKind, provider } = url.state
  const all = models.data ?? []
  const used = [...new Set(all.map((model) => model.provider))].sort()
  const shutdownOf = useShutdownDates(used.filter((name) => name !== 'demo' && providers?.includes(name)))
  const columns = modelColumns({
    shutdownOf,
    hasKey: (model) => !providers || providers.includes(model.provider),
    nameOf: (id) => all.find((model) => model.id === id)?.name ?? null,
  })
  return (
    <div className="flex flex-col gap-5">
      {providers?.every((name) => name === 'demo') && <NoProviders />}
      {models.data && !all.some(({ kind: its, hidden }) => its === 'text' && !hidden) && <NoVisibleModel />}
      <LocalList
        id="models"
        label="Модели"
        searchLabel="Найти модель"
        query={models}
        columns={columns}
        rowSpec={rowSpec}
        local={{
          searchText: ({ id, name, provider: from, providerModel }) => `${id} ${name} ${from} ${providerModel}`,
          sortValue: modelSortValue,
          matches: (model) =>
            !pendingRemovals.has(model.id) &&
            (state === null || model.hidden === (state === 'hidden')) &&
            (ofKind === null || model.kind === ofKind) &&
            (provider === '' || model.provider === provider),
        }}
        url={url}
        onMove={reorder.mutate}
      >
        <FilterChips
          {...url}
          chips={[
            {
              filter: 'state',
              label: 'Видимость',
              any: 'Видимые и скрытые',
              options: { shown: 'Видимые', hidden: 'Скрытые' },
            },
            { filter: 'kind', label: 'Вид', any: 'Все виды', options: kindNames },
            {
              filter: 'provider',
              label: 'Провайдер',
              any: 'Все провайдеры',
              options: used.map((name) => ({ value: name, label: name })),
            },
          ]}
        />
      </LocalList>
    </div>
  )
}

function NoVisibleModel() {
  return (
    <Callout tone="danger" title="Нет доступных моделей">
      Нет ни одной видимой текстовой модели: чаты не ответят, пока вы не покажете хотя бы одну.
    </Callout>
  )
}

function useModelRowSpec(): RowSpec<AdminModel> {
  const setHidden = useSetModelHidden()
  const remove = useDeleteModel()
  return {
    key: ({ id }) => id,
    name: ({ name }) => name,
    href: ({ id }) => adminPaths.model(id),
    isDim: ({ hidden }) => hidden,
    menu: (model) => (
      <RowMenu name={model.name}>
        {model.hidden ? (
          <MenuItem icon={<Eye size={18} />} onSelect={() => setHidden(model, false)}>
            Показать пользователям
          </MenuItem>
        ) : (
          <MenuItem icon={<EyeOff size={18} />} onSelect={() => setHidden(model, true)}>
            Скрыть от пользователей
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => remove(model)}>
          Удалить
        </MenuItem>
      </RowMenu>
    ),
  }
}
