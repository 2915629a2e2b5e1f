import { Link } from 'wouter'
import type { UserCard } from '#contract/user-desk.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { CardPart, Facts, linkStyle } from './card-part.tsx'
import { seenWords, signInWords, sizeWords } from './user-words.ts'

export function PersonPart({ user }: { user: UserCard }) {
  return (
    <CardPart
      title="Кто это"
      action={
        <Link href={paths.adminAuditOf(user.id)} className={linkStyle}>
          Журнал действий
        </Link>
      }
    >
      <Facts
        facts={[
          ['Имя', user.name || 'не указано'],
          ['Почта', user.email],
          ['Адрес подтверждён', user.emailVerified ? 'да' : 'нет'],
          ['Как входит', signInWords(user.providers)],
          ['Регистрация', formatDateTime(user.createdAt)],
          ['Заходил', seenWords(user.lastSeenAt)],
          ['Номер', <Id key="id" id={user.id} />],
        ]}
      />
    </CardPart>
  )
}

/** Only how many: what somebody writes is nobody else's business. */
export function CountsPart({ user: { counts } }: { user: UserCard }) {
  return (
    <CardPart title="Сколько чего">
      <Facts
        facts={[
          ['Чаты', formatNumber(counts.threads)],
          ['Сообщения', formatNumber(counts.messages)],
          ['Файлы', `${formatNumber(counts.files)}, ${sizeWords(counts.fileBytes)}`],
          ['Изображения', `${formatNumber(counts.images)}, ${sizeWords(counts.imageBytes)}`],
          ['Записи', `${formatNumber(counts.recordings)}, ${sizeWords(counts.recordingBytes)}`],
          ['Ассистенты', formatNumber(counts.assistants)],
          ['Промпты', formatNumber(counts.prompts)],
        ]}
      />
      <p className="text-sm text-pretty text-muted">Тексты и названия администраторам не показываются.</p>
    </CardPart>
  )
}

const Id = ({ id }: { id: string }) => <span className="text-sm select-all">{id}</span>
