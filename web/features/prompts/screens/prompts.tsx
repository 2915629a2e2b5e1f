import { LibraryBar } from '#web/features/prompts/library-bar.tsx'
import { type LibraryFilter, readFilter, writeFilter } from '#web/features/prompts/library-filter.ts'
import { PromptLibrary } from '#web/features/prompts/prompt-library.tsx'
import { useScreenSearch } from '#web/features/prompts/use-screen-search.ts'
import { useTyped } from '#web/features/prompts/use-typed.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Plus, Table2 } from '#web/ui/icons.ts'
import { usePromptUse } from './use-prompt.tsx'

export default function PromptsScreen() {
  const [params, setParams] = useScreenSearch()
  const filter = readFilter(params)
  const show = (next: LibraryFilter) => setParams((now) => writeFilter(now, next), { replace: true })
  const { typed, type } = useTyped(filter.query, (query) =>
    setParams((now) => writeFilter(now, { ...readFilter(now), query }), { replace: true }),
  )
  const isAdmin = useSession()?.role === 'admin'
  const { use, dialog } = usePromptUse()
  return (
    <div className="mx-auto flex max-w-7xl flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">Промпты</h1>
        <div className="flex flex-wrap gap-2">
          <ButtonLink href={paths.promptCms()} variant="ghost" icon={<Table2 size={18} />}>
            {isAdmin ? 'Каталог' : 'Мои промпты'}
          </ButtonLink>
          <ButtonLink href={paths.promptAdd()} variant="primary" icon={<Plus size={18} />}>
            Новый промпт
          </ButtonLink>
        </div>
      </header>
      <LibraryBar filter={filter} typed={typed} onType={type} onChange={show} />
      <PromptLibrary filter={filter} onUse={use} />
      {dialog}
    </div>
  )
}
