import { type DocumentKind, type DocumentVersion, needsConsent } from '#contract/legal.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import { TextLink } from '#web/ui/text-link.tsx'

interface VersionListProps {
  kind: DocumentKind
  versions: DocumentVersion[]
}

export function VersionList({ kind, versions }: VersionListProps) {
  return (
    <section aria-labelledby="versions">
      <h2 id="versions" className="text-lg font-semibold">
        История версий
      </h2>
      {versions.length === 0 ? (
        <p className="mt-2 text-muted">Ещё ничего не опубликовано.</p>
      ) : (
        <ol className="mt-3 flex flex-col rounded-md border bg-surface">
          {versions.map((version, index) => (
            <li key={version.version} className="flex flex-col gap-1 border-b px-4 py-3 last:border-0">
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <TextLink href={paths.legal(kind, version.version)}>Версия {version.version}</TextLink>
                {index === 0 && <Badge tone="success">действует</Badge>}
                {needsConsent(kind) && !version.asksConsent && <Badge>без нового согласия</Badge>}
              </span>
              <span className="text-sm text-muted wrap-anywhere">{factsOf(kind, version)}</span>
              <span className="font-mono text-xs text-muted wrap-anywhere">SHA-256 {version.hash}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function factsOf(kind: DocumentKind, { publishedAt, author, agreed }: DocumentVersion): string {
  const facts = [formatDateTime(publishedAt), author ?? 'аккаунт автора удалён']
  if (needsConsent(kind)) facts.push(`действующих согласий: ${formatNumber(agreed)}`)
  return facts.join(' · ')
}
