import { LibraryBar } from '#web/features/prompts/library-bar.tsx'
import { libraryParams } from '#web/features/prompts/library-filter.ts'
import { PromptLibrary } from '#web/features/prompts/prompt-library.tsx'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Plus, Table2 } from '#web/ui/icons.ts'
import { usePromptUse } from './use-prompt.tsx'

export default function PromptsScreen() {
  const { state: filter, change } = useUrlState(libraryParams)
  const isAdmin = useSession()?.role === 'admin'
  const { use, dialog } = usePromptUse()
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-3">
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
      <LibraryBar filter={filter} onChange={change} />
      <PromptLibrary filter={filter} onUse={use} />
      {dialog}
    </div>
  )
}
