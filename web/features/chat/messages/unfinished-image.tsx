import type { Message } from '#contract/threads.ts'
import { usePartial } from '#web/features/images/queries.ts'

/** The place of an image that is being drawn, with what the model has sent of it. */
export function UnfinishedImage({ message: { id } }: { message: Message }) {
  const url = usePartial(id)
  return (
    <div className="relative grid aspect-square w-full max-w-lg place-items-center overflow-hidden rounded-md bg-hover text-muted">
      {url && <img src={url} alt="Набросок" className="absolute inset-0 size-full object-contain" />}
      <span className="relative animate-pulse rounded-sm bg-surface/85 px-2.5 py-1 text-sm">Рисую…</span>
    </div>
  )
}
