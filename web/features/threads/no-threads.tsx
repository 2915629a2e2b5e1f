import { Archive, MessagesSquare, SearchX, Trash2 } from 'lucide-react'
import { TRASH_DAYS } from '#contract/threads.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { ThreadsShown } from './thread-filter.ts'

interface NoThreadsProps {
  shown: ThreadsShown
  onShow: (shown: ThreadsShown) => void
}

/** Why there is nothing, and what to do next. */
export function NoThreads({ shown, onShow }: NoThreadsProps) {
  const { view, query } = shown
  if (query !== '')
    return (
      <EmptyState
        icon={<SearchX />}
        title="Ничего не нашлось"
        text={`По словам «${query}» здесь чатов нет. Попробуйте другие слова.`}
        action={
          <>
            <Button onClick={() => onShow({ view, query: '' })}>Показать все</Button>
            {view === 'active' && (
              <Button variant="ghost" onClick={() => onShow({ view: 'archived', query })}>
                Искать в архиве
              </Button>
            )}
          </>
        }
      />
    )
  if (view === 'archived')
    return (
      <EmptyState
        icon={<Archive />}
        title="Архив пуст"
        text="Уберите сюда чаты, которые пока не нужны: они исчезнут из списка, но останутся целы."
        action={<Button onClick={() => onShow({ view: 'active', query: '' })}>К активным чатам</Button>}
      />
    )
  if (view === 'trash')
    return (
      <EmptyState
        icon={<Trash2 />}
        title="Корзина пуста"
        text={`Удалённые чаты ждут здесь ${TRASH_DAYS} дней, и любой можно вернуть.`}
        action={<Button onClick={() => onShow({ view: 'active', query: '' })}>К активным чатам</Button>}
      />
    )
  return (
    <EmptyState
      icon={<MessagesSquare />}
      title="Чатов пока нет"
      text="Напишите первый вопрос, и чат появится здесь."
      action={
        <ButtonLink href={paths.home()} variant="primary">
          Новый чат
        </ButtonLink>
      }
    />
  )
}
