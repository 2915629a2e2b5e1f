import { Button } from './button.tsx'
import { Callout } from './callout.tsx'

interface NotLoadedProps {
  title: string
  query: { error: Error | null; refetch: () => unknown }
}

/** In the place of what did not come: why, and a way to ask again. */
export function NotLoaded({ title, query }: NotLoadedProps) {
  return (
    <Callout
      tone="danger"
      title={title}
      action={
        <Button size="sm" onClick={() => void query.refetch()}>
          Повторить
        </Button>
      }
    >
      {query.error?.message}
    </Callout>
  )
}
