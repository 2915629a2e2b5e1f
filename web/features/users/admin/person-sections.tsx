import type { UserCard } from '#contract/users-admin.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { CardLink, CardSection, Facts } from './card-section.tsx'
import { formatSize, lastSeenLabel, signInLabel } from './user-labels.ts'

export function PersonSection({ user }: { user: UserCard }) {
  return (
    <CardSection title="Профиль" action={<CardLink href={adminPaths.auditOf(user.id)}>Журнал действий</CardLink>}>
      <Facts
        facts={[
          ['Имя', user.name || 'не указано'],
          ['Почта', user.email],
          ['Адрес подтверждён', user.emailVerified ? 'да' : 'нет'],
          ['Способ входа', signInLabel(user.providers)],
          ['Регистрация', formatDateTime(user.createdAt)],
          ['Последний визит', lastSeenLabel(user.lastSeenAt)],
          ['Номер', <Id key="id" id={user.id} />],
        ]}
      />
    </CardSection>
  )
}

/** Only counts: admins do not see the content of chats. */
export function CountsSection({ user: { counts } }: { user: UserCard }) {
  return (
    <CardSection title="Объём данных">
      <Facts
        facts={[
          ['Чаты', formatNumber(counts.threads)],
          ['Сообщения', formatNumber(counts.messages)],
          ['Файлы', countWithSize(counts.files, counts.fileBytes)],
          ['Изображения', countWithSize(counts.images, counts.imageBytes)],
          ['Записи', countWithSize(counts.recordings, counts.recordingBytes)],
          ['Ассистенты', formatNumber(counts.assistants)],
          ['Промпты', formatNumber(counts.prompts)],
        ]}
      />
      <p className="text-sm text-pretty text-muted">Тексты и названия администраторам не показываются.</p>
    </CardSection>
  )
}

const countWithSize = (count: number, bytes: number) =>
  count === 0 ? 'нет' : `${formatNumber(count)}, ${formatSize(bytes)}`

const Id = ({ id }: { id: string }) => <span className="text-sm select-all">{id}</span>
