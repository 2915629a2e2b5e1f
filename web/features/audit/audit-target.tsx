import type { AuditEntry } from '#contract/audit.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { targetPath } from './target-path.ts'

export function AuditTarget({ entry }: { entry: AuditEntry }) {
  const name = entry.targetName ?? entry.target
  const href = targetPath(entry)
  if (name === null) return '—'
  return (
    <span className="wrap-break-word">
      {href ? (
        <TextLink href={href} inText>
          {name}
        </TextLink>
      ) : (
        name
      )}
    </span>
  )
}
