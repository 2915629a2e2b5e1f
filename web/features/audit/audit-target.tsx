import type { AuditEntry } from '#contract/audit.ts'
import { findScreen } from '#contract/screens.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { paths } from '#web/lib/paths.ts'
import { TextLink } from '#web/ui/text-link.tsx'

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

const targetPaths: Record<string, (id: string) => string> = {
  user: adminPaths.user,
  plan: adminPaths.plan,
  bundle: (id) => `${adminPaths.tokenBundles()}?edit=${encodeURIComponent(id)}`,
  model: adminPaths.model,
  promo: adminPaths.promoCode,
  prompt: (id) => paths.prompt(id),
  order: (id) => `${adminPaths.transactions()}?tab=orders&order=${encodeURIComponent(id)}`,
  payment_event: (id) => `${adminPaths.transactions()}?tab=events&state=all&event=${encodeURIComponent(id)}`,
  dispute: adminPaths.dispute,
}
const deletions = new Set(['user.delete', 'bundle.delete', 'model.delete', 'prompt.delete'])

/** The page of the target, or null when the target or the feature of the page is gone. */
function targetPath({ kind, action, target }: Pick<AuditEntry, 'kind' | 'action' | 'target'>): string | null {
  if (target === null || deletions.has(action)) return null
  const path = targetPaths[kind]?.(target)
  return path && findScreen(path) ? path : null
}
