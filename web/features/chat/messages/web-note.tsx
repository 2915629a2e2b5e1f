import type { WebStage, WebUse } from '#contract/web-search.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { Globe, Search } from '#web/ui/icons.ts'

export function StageSign({ stage }: { stage: WebStage }) {
  const Icon = stage.type === 'words' ? Search : Globe
  return (
    <p role="status" className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
      <Icon size={16} className="shrink-0 animate-[breathe_1.2s_ease-in-out_infinite]" />
      <span className="truncate">{stageLabel(stage)}</span>
    </p>
  )
}

function stageLabel(stage: WebStage): string {
  if (stage.type === 'words') return 'Подбираю слова для поиска по файлам'
  if (stage.type === 'search') return stage.query === '' ? 'Составляю поисковый запрос' : `Ищу: ${stage.query}`
  const { pages } = stage
  return `Читаю ${formatNumber(pages)} ${plural(pages, 'страницу', 'страницы', 'страниц')}`
}

export function WebNote({ web: { query, hasFound, unread } }: { web: WebUse }) {
  const hasFailed = query !== null && !hasFound
  if (query === null && unread.length === 0) return null
  return (
    <div className="mb-2 flex flex-col gap-1 text-sm text-muted">
      {query !== null && (
        <p className="flex gap-1.5">
          <Globe size={16} className="mt-0.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {hasFailed ? 'Поиск не удался: ответ дан по памяти модели' : `Поиск: ${query}`}
          </span>
        </p>
      )}
      {unread.map((url) => (
        <p key={url} className="wrap-anywhere">
          Страница не прочитана: {url}
        </p>
      ))}
    </div>
  )
}
