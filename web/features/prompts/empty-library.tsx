import { Link2, NotebookText, SearchX, Star } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { LibraryFilter } from './library-filter.ts'

export function EmptyLibrary({ filter: { query, category, view } }: { filter: LibraryFilter }) {
  const add = (
    <ButtonLink href={paths.promptAdd()} variant="primary">
      Новый промпт
    </ButtonLink>
  )
  if (query !== '' || category !== null)
    return (
      <EmptyState
        icon={<SearchX />}
        title="Ничего не нашлось"
        text={
          query === ''
            ? 'В этой категории таких промптов нет.'
            : `По запросу «${query}» промптов нет. Попробуйте другое слово или сохраните свой промпт.`
        }
        action={
          <>
            <ButtonLink href={paths.prompts()}>Показать все</ButtonLink>
            {add}
          </>
        }
      />
    )
  if (view === 'favourites')
    return (
      <EmptyState
        icon={<Star />}
        title="Избранного пока нет"
        text="Отметьте промпт звёздочкой, и он будет здесь и первым в списке по знаку «/» в чате."
        action={<ButtonLink href={paths.prompts()}>Выбрать промпты</ButtonLink>}
      />
    )
  if (view === 'shared')
    return (
      <EmptyState
        icon={<Link2 />}
        title="По ссылке ничего не открыто"
        text="Когда кто-то пришлёт вам ссылку на свой промпт и вы её откроете, промпт останется здесь."
      />
    )
  return (
    <EmptyState
      icon={<NotebookText />}
      title={view === 'own' ? 'Своих промптов пока нет' : 'Промптов пока нет'}
      text="Сохраните удачный запрос, и он всегда будет под рукой. Места, которые меняются, заполните перед отправкой."
      action={add}
    />
  )
}
