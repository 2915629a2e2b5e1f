import { useQuery } from '@tanstack/react-query'
import { FileUp, NotebookText, Plus, SearchX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { BulkBar } from '#web/features/prompts/desk/bulk-bar.tsx'
import { DeskBar } from '#web/features/prompts/desk/desk-bar.tsx'
import { type DeskFilter, nextSort, readDesk, writeDesk } from '#web/features/prompts/desk/desk-filter.ts'
import { deskQuery } from '#web/features/prompts/desk/desk-queries.ts'
import { DeskTable } from '#web/features/prompts/desk/desk-table.tsx'
import { ExportMenu } from '#web/features/prompts/desk/export-menu.tsx'
import { ImportDialog } from '#web/features/prompts/desk/import-dialog.tsx'
import { Pager } from '#web/features/prompts/desk/pager.tsx'
import { useActs } from '#web/features/prompts/desk/use-acts.ts'
import { useScreenSearch } from '#web/features/prompts/use-screen-search.ts'
import { useTyped } from '#web/features/prompts/use-typed.ts'
import { QueryFailure } from '#web/features/users/query-failure.tsx'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const nobody: ReadonlySet<string> = new Set()

export function PromptCmsScreen() {
  const [params, setParams] = useScreenSearch()
  const [, navigate] = useLocation()
  const filter = readDesk(params)
  const [selected, setSelected] = useState(nobody)
  const [isImporting, setImporting] = useState(false)
  const { act, canPublish, isActing } = useActs(() => setSelected(nobody))
  const table = useQuery(deskQuery(filter))

  function show(change: Partial<DeskFilter>) {
    const isPaged = change.page !== undefined
    if (!isPaged) setSelected(nobody)
    setParams((now) => writeDesk({ ...readDesk(now), page: 1, ...change }), { replace: !isPaged })
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
      <DeskBar filter={filter} typed={typed} onType={type} onChange={show} />
      {table.isError ? (
        <QueryFailure query={table} />
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
        <EmptyDesk filter={filter} onReset={() => show({ query: '', category: null, state: 'all' })} />
      ) : (
        <div className="flex flex-col gap-4 aria-busy:opacity-60" aria-busy={table.isPlaceholderData || undefined}>
          <DeskTable
            rows={table.data.items}
            filter={filter}
            withOwner={canPublish}
            selected={selected}
            onSelect={setSelected}
            onSort={(sort) => show(nextSort(filter, sort))}
            onAct={({ id }, name) => {
              if (name === 'edit' || name === 'history') navigate(`${paths.prompt(id)}?${name}=1`)
              else act({ act: name, ids: [id] })
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
        onAct={act}
        onClear={() => setSelected(nobody)}
      />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </div>
  )
}

function EmptyDesk({ filter: { query, category, state }, onReset }: { filter: DeskFilter; onReset: () => void }) {
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
