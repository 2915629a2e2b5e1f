import { useQuery } from '@tanstack/react-query'
import { FileUp, NotebookText, Plus, SearchX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { promptTableQuery } from '#web/features/prompts/admin/admin-queries.ts'
import { useActions } from '#web/features/prompts/admin/bulk-actions.ts'
import { BulkBar } from '#web/features/prompts/admin/bulk-bar.tsx'
import { ExportMenu } from '#web/features/prompts/admin/export-menu.tsx'
import { ImportDialog } from '#web/features/prompts/admin/import-dialog.tsx'
import { Pager } from '#web/features/prompts/admin/pager.tsx'
import { PromptTable } from '#web/features/prompts/admin/prompt-table.tsx'
import { PromptTableBar } from '#web/features/prompts/admin/table-bar.tsx'
import {
  nextSort,
  type PromptTableFilter,
  readAdminFilter,
  writeAdminFilter,
} from '#web/features/prompts/admin/table-filter.ts'
import { useScreenSearch } from '#web/features/prompts/use-screen-search.ts'
import { useTyped } from '#web/features/prompts/use-typed.ts'
import { QueryError } from '#web/features/users/query-error.tsx'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const nobody: ReadonlySet<string> = new Set()

export function PromptCmsScreen() {
  const [params, setParams] = useScreenSearch()
  const [, navigate] = useLocation()
  const filter = readAdminFilter(params)
  const [selected, setSelected] = useState(nobody)
  const [isImporting, setImporting] = useState(false)
  const { action, canPublish, isActing } = useActions(() => setSelected(nobody))
  const table = useQuery(promptTableQuery(filter))

  function show(change: Partial<PromptTableFilter>) {
    const isPaged = change.page !== undefined
    if (!isPaged) setSelected(nobody)
    setParams((now) => writeAdminFilter({ ...readAdminFilter(now), page: 1, ...change }), { replace: !isPaged })
  }
  const { typed, type } = useTyped(filter.query, (query) => show({ query }))

  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="text-2xl font-semibold">Каталог промптов</h1>
          <p className="mt-1 text-muted">
            {canPublish ? 'Все промпты: общие, ваши и пользователей.' : 'Все ваши промпты.'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button icon={<FileUp size={18} aria-hidden="true" />} onClick={() => setImporting(true)}>
            Импорт
          </Button>
          <ExportMenu filter={filter} />
          <ButtonLink href={paths.promptAdd()} variant="primary" icon={<Plus size={18} aria-hidden="true" />}>
            Новый промпт
          </ButtonLink>
        </div>
      </header>
      <PromptTableBar filter={filter} typed={typed} onType={type} onChange={show} />
      {table.isError ? (
        <QueryError query={table} />
      ) : !table.data ? (
        <Skeleton className="h-96" />
      ) : table.data.items.length === 0 && table.data.total > 0 ? (
        <EmptyState
          icon={<SearchX />}
          title="Эта страница пуста"
          text="Промптов стало меньше, чем было."
          action={<Button onClick={() => show({ page: 1 })}>На первую страницу</Button>}
        />
      ) : table.data.items.length === 0 ? (
        <EmptyTable filter={filter} onReset={() => show({ query: '', category: null, state: 'all' })} />
      ) : (
        <div className="flex flex-col gap-4 aria-busy:opacity-60" aria-busy={table.isPlaceholderData || undefined}>
          <PromptTable
            rows={table.data.items}
            filter={filter}
            withOwner={canPublish}
            selected={selected}
            onSelect={setSelected}
            onSort={(sort) => show(nextSort(filter, sort))}
            onAction={({ id }, name) => {
              if (name === 'edit' || name === 'history') navigate(`${paths.prompt(id)}?${name}=1`)
              else action({ action: name, ids: [id] })
            }}
          />
          <Pager filter={filter} total={table.data.total} onChange={show} />
        </div>
      )}
      <BulkBar
        ids={[...selected]}
        isTrash={filter.state === 'trash'}
        canPublish={canPublish}
        isActing={isActing}
        onAction={action}
        onClear={() => setSelected(nobody)}
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
  if (query !== '' || category !== null)
    return (
      <EmptyState icon={<SearchX />} title="Ничего не нашлось" text="С такими условиями промптов нет." action={reset} />
    )
  if (state === 'trash')
    return (
      <EmptyState
        icon={<Trash2 />}
        title="Корзина пуста"
        text="Удалённые промпты лежат здесь 30 дней, и их можно вернуть."
        action={reset}
      />
    )
  if (state !== 'all')
    return <EmptyState icon={<SearchX />} title="Таких промптов нет" text="Попробуйте другой отбор." action={reset} />
  return (
    <EmptyState
      icon={<NotebookText />}
      title="Промптов пока нет"
      text="Сохраните первый промпт или загрузите готовые из файла."
      action={
        <ButtonLink href={paths.promptAdd()} variant="primary">
          Новый промпт
        </ButtonLink>
      }
    />
  )
}
