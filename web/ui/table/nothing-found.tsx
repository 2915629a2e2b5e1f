import { Button } from '#web/ui/button.tsx'

/** For a list with rows, none of which match the filter. */
export function NothingFound({ onReset }: { onReset: () => void }) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-md border border-dashed px-4 py-12 text-center">
      <p className="text-muted">Под эти условия ничего не подошло.</p>
      <Button size="sm" onClick={onReset}>
        Показать все
      </Button>
    </div>
  )
}
