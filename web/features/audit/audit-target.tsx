import type { AuditEntry } from '#contract/audit.ts'
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
  user: paths.adminUser,
  plan: paths.adminPlan,
  bundle: (id) => `${paths.adminTokenBundles()}?edit=${encodeURIComponent(id)}`,
  model: paths.adminModel,
  promo: paths.adminPromoCode,
  prompt: (id) => paths.prompt(id),
  order: (id) => `${paths.adminTransactions()}?tab=orders&order=${encodeURIComponent(id)}`,
  payment_event: (id) => `${paths.adminTransactions()}?tab=events&state=all&event=${encodeURIComponent(id)}`,
  dispute: paths.adminDispute,
}
/** Actions after which the target no longer exists. */
const deletions = new Set(['user.delete', 'bundle.delete', 'model.delete', 'prompt.delete'])

/** The admin page of the target, or null when it is gone. */
function targetPath({ kind, action, target }: Pick<AuditEntry, 'kind' | 'action' | 'target'>): string | null {
  if (target === null || deletions.has(action)) return null
  return targetPaths[kind]?.(target) ?? null
}
