import { useQuery } from '@tanstack/react-query'
import { BundleDialog } from '#web/features/plans/bundle-dialog.tsx'
import { BundleTable } from '#web/features/plans/bundle-table.tsx'
import { allBundlesQuery } from '#web/features/plans/queries.ts'
import { textParam, useUrlState } from '#web/lib/url-state.ts'
import { PageHead } from '#web/ui/table/page-head.tsx'

const NEW = 'new'
const params = { edit: textParam() }

/** The edited bundle is in the address, like the rest of the list's state. */
export default function TokenBundlesScreen() {
  const { state, change } = useUrlState(params)
  const { data: bundles } = useQuery(allBundlesQuery)
  const bundle = bundles?.find(({ id }) => id === state.edit) ?? null
  const add = () => change({ edit: NEW })
  return (
    <div className="flex flex-col gap-5">
      <PageHead
        title="Пакеты символов"
        description="Разовые покупки: символы из пакета не сгорают. Порядок тот же, что видят пользователи."
        add={{ label: 'Добавить пакет', onClick: add }}
      />
      <BundleTable onOpen={(edit) => change({ edit })} onAdd={add} />
      {bundles && (bundle || state.edit === NEW) && (
        <BundleDialog
          key={state.edit}
          bundle={bundle}
          position={bundles.length}
          currency={bundles[0]?.currency ?? 'BYN'}
          onClose={() => change({ edit: '' })}
        />
      )}
    </div>
  )
}
