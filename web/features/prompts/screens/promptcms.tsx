import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useActions } from '#web/features/prompts/admin/bulk-actions.ts'
import { BulkBar } from '#web/features/prompts/admin/bulk-bar.tsx'
import { ImportDialog } from '#web/features/prompts/admin/import-dialog.tsx'
import { PromptTable } from '#web/features/prompts/admin/prompt-table.tsx'
import { promptTableQuery } from '#web/features/prompts/admin/queries.ts'
import { ExportMenu, PromptTableBar } from '#web/features/prompts/admin/table-bar.tsx'
import { nextSort, type PromptTableFilter, promptTableParams } from '#web/features/prompts/admin/table-filter.ts'
import { paths } from '#web/lib/paths.ts'
import { type ChangeOf, useUrlState } from '#web/lib/url-state.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FileUp, Plus } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import { useSelection } from '#web/ui/table/selection.ts'

export default function PromptCmsScreen() {
  const { state: filter, change } = useUrlState(promptTableParams)
  const [, navigate] = useLocation()
  const [isImporting, setImporting] = useState(false)
  const { action, canPublish, isActing } = useActions(() => selection.clear())
  const name = canPublish ? 'Каталог промптов' : 'Мои промпты'
  useTitle(name)
  const table = useQuery(promptTableQuery(filter))
  const selection = useSelection(table.data?.items ?? [], ({ id }) => id, true)

  function show(next: ChangeOf<PromptTableFilter>) {
    if (!('page' in next)) selection.clear()
    change(next)
  }
  const sort = {
    by: filter.sort,
    onChange: (by: string) => show({ sort: by }),
    next: (id: string) => nextSort(filter.sort, id),
  }

  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <BackLink href={paths.prompts()}>Промпты</BackLink>
          <h1 className="mt-1 text-2xl font-semibold">{name}</h1>
          <p className="mt-1 text-muted">
            {canPublish ? 'Все промпты: общие, ваши и пользователей.' : 'Всё, что вы написали или скопировали.'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button icon={<FileUp size={18} />} onClick={() => setImporting(true)}>
            Импорт
          </Button>
          <ExportMenu filter={filter} />
          <ButtonLink href={paths.promptAdd()} variant="primary" icon={<Plus size={18} />}>
            Новый промпт
          </ButtonLink>
        </div>
      </header>
      <PromptTableBar
        label={canPublish ? 'Поиск в каталоге' : 'Поиск в моих промптах'}
        filter={filter}
        sort={sort}
        onChange={show}
      />
      {table.isError ? (
        <QueryError query={table} />
      ) : !table.data ? (
        <Skeleton className="h-96" />
      ) : table.data.items.length === 0 && table.data.total > 0 ? (
        <EmptyState
          glyph="search"
          title="Эта страница пуста"
          text="Промптов стало меньше, чем было."
          action={<Button onClick={() => show({ page: 1 })}>На первую страницу</Button>}
        />
      ) : table.data.items.length === 0 ? (
        <EmptyTable filter={filter} onReset={() => show({ query: null, category: null, state: null })} />
      ) : (
        <div className="flex flex-col gap-4">
          <PromptTable
            rows={table.data.items}
            isBusy={table.isPlaceholderData}
            filter={filter}
            sort={sort}
            selection={selection}
            isAdmin={canPublish}
            onAction={({ id }, name) => {
              if (name === 'edit' || name === 'history') navigate(`${paths.prompt(id)}?${name}=1`)
              else action({ action: name, ids: [id] })
            }}
          />
          <Pager {...filter} total={table.data.total} sizes={[50, 100, 200]} onChange={show} />
        </div>
      )}
      <BulkBar
        ids={[...selection.selection.ids]}
        isTrash={filter.state === 'trash'}
        canPublish={canPublish}
        isActing={isActing}
        onAction={action}
        onClear={selection.clear}
      />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </div>
  )
}

function EmptyTable({
  filter: { query, category, state },
  onReset,
}: {
  filter: PromptTableFilter
  onReset: () => void
}) {
  const reset = <Button onClick={onReset}>Показать все</Button>
  if (query !== '' || category !== '')
    return (
      <EmptyState glyph="search" title="Ничего не нашлось" text="С такими условиями промптов нет." action={reset} />
    )
  if (state === 'trash')
    return (
      <EmptyState
        glyph="trash"
        title="Корзина пуста"
        text="Удалённые промпты лежат здесь 30 дней, и их можно вернуть."
        action={reset}
      />
    )
  if (state !== 'all')
    return <EmptyState glyph="search" title="Таких промптов нет" text="Попробуйте другой отбор." action={reset} />
  return (
    <EmptyState
      glyph="prompt"
      title="Промптов пока нет"
      text="Сохраните первый промпт или загрузите готовые из файла: кнопки для этого над списком."
    />
  )
}
