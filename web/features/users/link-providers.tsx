import { pageConfig } from '#web/lib/page-state.ts'
import { Button } from '#web/ui/button.tsx'
import { useLinkAccount } from './account-queries.ts'
import { QueryErrorNote } from './query-error-note.tsx'

/** Buttons for the providers that are not linked yet. */
export function LinkProviders({ linked }: { linked: string[] }) {
  const link = useLinkAccount()
  const free = pageConfig().socialProviders.filter(({ id }) => !linked.includes(id))
  // After a success the browser is already navigating to the provider.
  const leavingFor = link.isPending || link.isSuccess ? link.variables : null
  if (free.length === 0) return null
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {free.map(({ id, name }) => (
          <Button
            key={id}
            size="sm"
            busy={leavingFor === id}
            disabled={leavingFor !== null}
            onClick={() => link.mutate(id)}
          >
            Привязать {name}
          </Button>
        ))}
      </div>
      <QueryErrorNote errors={link.errors} />
    </>
  )
}
