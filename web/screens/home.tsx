import { MessageSquareText } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export function HomeScreen() {
  const name = useSession()?.name.trim().split(/\s+/)[0]
  return (
    <div className="m-auto">
      <EmptyState
        icon={<MessageSquareText />}
        title={name ? `Здравствуйте, ${name}!` : 'Здравствуйте!'}
        text="Здесь будет чат: вы напишете вопрос и сразу увидите ответ. Мы его ещё делаем."
        action={<ButtonLink href={paths.profile()}>Открыть профиль</ButtonLink>}
      />
    </div>
  )
}
